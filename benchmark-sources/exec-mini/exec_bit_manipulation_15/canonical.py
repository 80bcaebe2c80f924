def utf8_bytes_of(code_point):
    """Bytes as a list of ints; surrogates and values beyond U+10FFFF give the replacement character."""
    if 0xD800 <= code_point <= 0xDFFF or code_point > 0x10FFFF:
        code_point = 0xFFFD

    def tail(value, shift):
        return 0x80 | ((value >> shift) & 0x3F)

    if code_point < 0x80:
        return [code_point]
    if code_point < 0x800:
        return [0xC0 | (code_point >> 6), tail(code_point, 0)]
    if code_point < 0x10000:
        return [0xE0 | (code_point >> 12), tail(code_point, 6), tail(code_point, 0)]
    return [0xF0 | (code_point >> 18), tail(code_point, 12), tail(code_point, 6), tail(code_point, 0)]
