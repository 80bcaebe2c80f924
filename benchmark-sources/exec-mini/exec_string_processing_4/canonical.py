def common_indent_strip(text):
    """Remove the leading spaces shared by all non-blank lines; blank lines become empty."""
    lines = text.split("\n")
    margin = None
    for line in lines:
        stripped = line.lstrip(" ")
        if stripped == "":
            continue
        indent = len(line) - len(stripped)
        if margin is None or indent < margin:
            margin = indent
    if margin is None:
        return "\n".join("" for _ in lines)
    return "\n".join(line[margin:] if line.strip(" ") else "" for line in lines)
