import re


def expand_template(template, values):
    """Fill {name} fields; '{{' and '}}' stand for single braces."""

    def fill(found):
        token = found.group(0)
        if token in ("{{", "}}"):
            return token[0]
        name = found.group(1)
        if name not in values:
            return token
        return str(values[name])

    return re.sub(r"\{\{|\}\}|\{(\w+)\}", fill, template)
