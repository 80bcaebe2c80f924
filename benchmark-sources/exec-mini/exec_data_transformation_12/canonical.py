def split_name_columns(full_name: str) -> dict:
    """Keys first, middle, last; a single word is a last name."""

    def build(first, middle, last):
        return {"first": first, "middle": middle, "last": last}

    if "," in full_name:
        family, _, given = full_name.partition(",")
        words = given.split() + [family.strip()]
    else:
        words = full_name.split()
    if not words:
        return build("", "", "")
    if len(words) == 1:
        return build("", "", words[0])
    return build(words[0], " ".join(words[1:-1]), words[-1])
