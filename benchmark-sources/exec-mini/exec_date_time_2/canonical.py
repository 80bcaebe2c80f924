def humanize_seconds(seconds: int) -> str:
    def piece(number, letter):
        return f"{number}{letter}"

    if seconds == 0:
        return "0s"
    sign = ""
    if seconds < 0:
        sign, seconds = "-", -seconds
    parts = []
    for unit, length in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        amount, seconds = divmod(seconds, length)
        if amount > 0:
            parts.append(piece(amount, unit))
    return sign + " ".join(parts)
