import re


def balanced_markup_tags(markup, void=("br", "hr", "img")):
    """None when every tag is closed in order, else the name of the first offending tag."""
    open_tags = []
    for closing, name, selfclosed in re.findall(r"<(/?)([a-z0-9]+)[^<>]*?(/?)>", markup):
        if name in void or selfclosed:
            continue
        if closing == "":
            open_tags.append(name)
        elif not open_tags or open_tags[-1] != name:
            return name
        else:
            open_tags.pop()
    return open_tags[0] if open_tags else None
