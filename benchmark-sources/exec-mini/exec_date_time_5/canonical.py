import re

ISO_DURATION = re.compile(r"^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$")


def parse_iso_duration(text):
    """Minutes for weeks, days, hours and minutes; None when the text is no such duration."""
    match = ISO_DURATION.match(text)
    if match is None or text in ("P", "PT") or text.endswith("T"):
        return None
    weeks, days, hours, minutes = (int(group or 0) for group in match.groups())
    return ((weeks * 7 + days) * 24 + hours) * 60 + minutes
