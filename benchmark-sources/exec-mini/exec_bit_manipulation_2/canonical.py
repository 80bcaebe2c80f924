def write_register_field(register: int, value: int, offset: int, width: int) -> int:
    """Return `register` with `width` bits from `offset` replaced by the low bits of `value`."""

    def field_mask(start: int, size: int) -> int:
        return ((1 << size) - 1) << start

    if width <= 0:
        return register
    mask = field_mask(offset, width)
    cleared = register & ~mask
    return cleared | ((value << offset) & mask)
