def isbn13_check_ok(text):
    digits = [int(ch) for ch in text.replace("-", "").replace(" ", "") if ch.isdecimal()]
    if len(digits) != 13 or len(digits) != len(text.replace("-", "").replace(" ", "")):
        return False
    if digits[:3] not in ([9, 7, 8], [9, 7, 9]):
        return False
    total = 0
    for position, digit in enumerate(digits):
        total += digit * (3 if position % 2 == 1 else 1)
    return total % 10 == 0
