def run_length_tokens(text):
    """Counts come before the character and are left out when one; digits and backslashes are escaped."""
    if text == "":
        return "-"

    def counted(times, char):
        return char if times == 1 else f"{times}{char}"

    out = []
    start = 0
    for i in range(1, len(text) + 1):
        if i < len(text) and text[i] == text[start]:
            continue
        length = i - start
        symbol = text[start]
        if symbol.isdigit() or symbol == "\\":
            symbol = "\\" + symbol
        out.append(counted(length, symbol))
        start = i
    return "".join(out)
