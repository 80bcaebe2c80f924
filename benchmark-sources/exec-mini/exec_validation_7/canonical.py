LUHN_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def checksum_luhn_mod_n(code):
    """Check character that makes `code` valid under Luhn mod 36; '' when a character is not allowed."""
    size = len(LUHN_ALPHABET)
    factor = 2
    total = 0
    for char in reversed(code):
        point = LUHN_ALPHABET.find(char)
        if point < 0:
            return ""
        high, low = divmod(factor * point, size)
        total += high + low
        factor = 1 if factor == 2 else 2
    return LUHN_ALPHABET[(size - total % size) % size]
