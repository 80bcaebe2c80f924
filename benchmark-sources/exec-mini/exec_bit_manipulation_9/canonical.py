def rotate_bits_left(value, count, width=32):
    if width <= 0:
        return 0
    count %= width
    mask = (1 << width) - 1
    value &= mask

    def shifted(number, left, right):
        return ((number << left) | (number >> right)) & mask

    return shifted(value, count, width - count)
