def zigzag_varint(number: int) -> bytes:
    if number < -(1 << 63) or number >= 1 << 63:
        return b""
    # zigzag keeps small negative numbers short: 0, -1, 1, -2 become 0, 1, 2, 3
    if number >= 0:
        value = number << 1
    else:
        value = ((-number) << 1) - 1
    out = bytearray()
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
