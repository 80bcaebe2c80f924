def signed_bit_field(word: int, offset: int, width: int) -> int:
    """Value of `width` bits from `offset`, negative when the top bit of the field is set."""

    def take(bits, start):
        return (word >> start) & ((1 << bits) - 1)

    if width < 1:
        return 0
    raw = take(width, offset)
    if raw >= 1 << (width - 1):
        raw -= 1 << width
    return raw
