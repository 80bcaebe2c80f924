def shell_like_split(command):
    """Arguments split on spaces; single and double quotes group, a backslash outside single quotes escapes.

    None when a quote is left open.
    """
    arguments = []
    current = ""
    started = False
    quote = ""
    escaped = False
    for char in command:
        if escaped:
            current += char
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = started = True
        elif quote:
            if char == quote:
                quote = ""
            else:
                current += char
        elif char in "'\"":
            quote = char
            started = True
        elif char == " ":
            if started:
                arguments.append(current)
            current, started = "", False
        else:
            current += char
            started = True
    if quote:
        return None
    return arguments + [current] if started else arguments
