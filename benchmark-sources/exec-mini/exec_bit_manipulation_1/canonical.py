def pack_rgb565(red, green, blue):
    """Squeeze three 8-bit channels into a 16-bit 5-6-5 pixel, or None when a channel is out of range."""
    for channel in (red, green, blue):
        if channel < 0 or channel > 255:
            return None

    def placed(value, offset):
        return value << offset

    return placed(red >> 3, 11) | placed(green >> 2, 5) | placed(blue >> 3, 0)
