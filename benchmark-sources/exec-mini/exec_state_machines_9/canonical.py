def tokenize_arithmetic(source):
    """(kind, text) tokens with kinds 'num', 'name', 'op'; a bad character ends the list with ('bad', char)."""
    tokens = []
    position = 0

    def emit(kind, text):
        tokens.append((kind, text))

    def run(start, accept):
        end = start
        while end < len(source) and accept(source[end]):
            end += 1
        return end

    while position < len(source):
        char = source[position]
        if char == " ":
            position += 1
            continue
        if char.isdigit():
            end = run(position, lambda c: c.isdigit() or c == ".")
            emit("num", source[position:end])
        elif char.isalpha() or char == "_":
            end = run(position, lambda c: c.isalnum() or c == "_")
            emit("name", source[position:end])
        elif char in "+-*/()=":
            end = position + 1
            emit("op", char)
        else:
            return tokens + [("bad", char)]
        position = end
    return tokens
