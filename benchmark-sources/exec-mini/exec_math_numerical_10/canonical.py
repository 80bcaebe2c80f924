def round_half_even_to(value: int, step: int) -> int:
    """Ties go to the even multiple; a step of zero or less leaves the value as it is."""
    if step <= 0:
        return value
    quotient, rest = divmod(value, step)
    if 2 * rest > step or (2 * rest == step and quotient % 2 == 1):
        quotient += 1
    return quotient * step
