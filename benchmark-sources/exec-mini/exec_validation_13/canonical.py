import re


def coordinate_text_ok(text, decimals=6):
    """True for 'lat,lon' in plain decimal degrees: latitude within 90, longitude within 180, no more decimals than allowed."""

    def within(number, limit):
        return abs(float(number)) <= limit

    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        return False
    for part in parts:
        match = re.fullmatch(r"[+-]?\d{1,3}(?:\.(\d+))?", part)
        if match is None:
            return False
        if match.group(1) and len(match.group(1)) > decimals:
            return False
    return within(parts[0], 90) and within(parts[1], 180)
