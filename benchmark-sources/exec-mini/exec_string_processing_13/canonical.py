def strict_roman_value(text):
    """Value of a canonical numeral from I to MMMCMXCIX, else 0."""
    pairs = [("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50)]
    pairs += [("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)]
    value = 0
    rest = text
    rebuilt = ""
    for symbol, amount in pairs:
        times = 0
        while rest.startswith(symbol) and times < (3 if len(symbol) == 1 else 1):
            value += amount
            rebuilt += symbol
            rest = rest[len(symbol):]
            times += 1
    remaining = value
    canonical = ""
    for symbol, amount in pairs:
        count, remaining = divmod(remaining, amount)
        canonical += symbol * count
    if rest or canonical != rebuilt:
        return 0
    return value
