import re


def expand_template(template, values):
    """Fill {name} fields; '{{' and '}}' stand for single braces; unknown and blank values leave the field."""

    def fill(found):
        token = found.group(0)
        if token in ("{{", "}}"):
            return token[0]
        name = found.group(1)
        value = values.get(name)
        if value is None or value == "":
            return token
        return str(value)

    return re.sub(r"\{\{|\}\}|\{(\w+)\}", fill, template)
