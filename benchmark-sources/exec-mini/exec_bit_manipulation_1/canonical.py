def pack_rgb565(red, green, blue):
    """Squeeze three 8-bit channels into a 16-bit 5-6-5 pixel, or None when a channel is out of range."""
    for channel in (red, green, blue):
        if channel < 0 or channel > 255:
            return None
    return ((red >> 3) << 11) | ((green >> 2) << 5) | (blue >> 3)
