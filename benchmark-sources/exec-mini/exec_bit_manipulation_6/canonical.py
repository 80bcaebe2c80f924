def morton_interleave(x, y, bits=16):
    """Z-order (Morton) index: bits of x on even positions, bits of y on odd ones."""

    def spread(value, lane):
        spaced = 0
        for i in range(bits):
            spaced |= ((value >> i) & 1) << (2 * i + lane)
        return spaced

    if x < 0 or y < 0:
        return -1
    return spread(x, 0) | spread(y, 1)
