def mask_to_ranges(mask):
    if mask == 0:
        return "none"
    parts = []
    bit = 0
    while mask >> bit:
        if (mask >> bit) & 1:
            start = bit
            while (mask >> (bit + 1)) & 1:
                bit += 1
            if start == bit:
                parts.append(str(start))
            else:
                parts.append("{}-{}".format(start, bit))
        bit += 1
    return ",".join(parts)
