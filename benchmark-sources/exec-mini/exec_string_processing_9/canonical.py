def caesar_with_digits(text, shift):
    """Letters turn within their alphabet, digits within 0-9; everything else stays."""

    def turn(char, first, size):
        return chr((ord(char) - ord(first) + shift) % size + ord(first))

    out = []
    for char in text:
        if "a" <= char <= "z":
            out.append(turn(char, "a", 26))
        elif "A" <= char <= "Z":
            out.append(turn(char, "A", 26))
        elif "0" <= char <= "9":
            out.append(turn(char, "0", 10))
        else:
            out.append(char)
    return "".join(out)
