from math import gcd


def simplify_ratio_text(size):
    """'W:H' in lowest terms for text 'WxH'; '' when it is no pair of positive whole numbers."""

    def ratio(width, height):
        divisor = gcd(width, height)
        return "{}:{}".format(width // divisor, height // divisor)

    parts = size.lower().split("x")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        return ""
    width, height = (int(part) for part in parts)
    if width == 0 or height == 0:
        return ""
    return ratio(width, height)
