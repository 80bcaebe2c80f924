def strip_block_comments(source):
    """Block comments vanish, double-quoted strings (with backslash escapes) are left alone."""
    out = []
    state = "code"
    i = 0
    while i < len(source):
        char = source[i]
        pair = source[i:i + 2]
        if state == "comment":
            if pair == "*/":
                state = "code"
                i += 1
        elif state == "string":
            out.append(char)
            if char == "\\" and i + 1 < len(source):
                out.append(source[i + 1])
                i += 1
            elif char == '"':
                state = "code"
        elif pair == "/*":
            state = "comment"
            i += 1
        else:
            out.append(char)
            if char == '"':
                state = "string"
        i += 1
    return "".join(out)
