def digits_in_base(number, base, min_length=1):
    """Digits of a non-negative integer, [] for anything else.

    >>> digits_in_base(7, 10, 3)
    [0, 0, 7]
    """
    if base < 2 or number < 0:
        return []
    digits = []
    while number > 0:
        number, digit = divmod(number, base)
        digits.append(digit)
    while len(digits) < min_length:
        digits.append(0)
    return digits[::-1]
