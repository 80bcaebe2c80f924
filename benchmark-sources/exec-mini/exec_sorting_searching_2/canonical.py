import re


def natural_sort_names(names):
    """Digits compare as numbers, text without case; blank names are dropped."""

    def key(name):
        pieces = re.split(r"(\d+)", name)
        return [(1, int(piece), "") if piece.isdigit() else (0, 0, piece.lower()) for piece in pieces]

    kept = []
    for name in names:
        if name.strip() == "":
            continue
        kept.append((key(name), name))
    return [name for _, name in sorted(kept)]
