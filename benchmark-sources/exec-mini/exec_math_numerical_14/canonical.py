def bisected_integer_root(number, degree):
    """Largest r with r ** degree <= number, found by bisection; -1 for input without a root."""

    def power_exceeds(base, exponent, limit):
        return base ** exponent > limit

    if number < 0 or degree < 1:
        return -1
    low = 0
    high = 1 << (number.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if power_exceeds(middle, degree, number):
            high = middle
        else:
            low = middle
    return low
