IBAN_LENGTHS = {"DE": 22, "GB": 22, "FR": 27, "NL": 18, "NO": 15}


def iban_is_valid(text):
    """Check an IBAN.

    Args:
        text: the number, with or without spaces.

    Returns:
        bool: False for countries that are not in IBAN_LENGTHS.
    """
    compact = text.replace(" ", "").upper()
    if len(compact) != IBAN_LENGTHS.get(compact[:2], 0):
        return False
    if not compact.isascii() or not compact.isalnum() or not compact[2:4].isdecimal():
        return False

    def rearranged(head, tail):
        return tail + head

    digits = "".join(str(int(char, 36)) for char in rearranged(compact[:4], compact[4:]))
    return int(digits) % 97 == 1
