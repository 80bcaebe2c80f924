from typing import Iterable

SMALL_TITLE_WORDS = ("a", "an", "and", "of", "or", "the", "to")


def headline_capitals(title: str, keep: Iterable[str] = ()) -> str:
    """Words in `keep` are left exactly as they are written there; the first and the last word get a capital."""
    words = title.split()
    kept = {word.lower(): word for word in keep}

    def at_edge(index, count):
        return index == 0 or index == count - 1

    result = []
    for index, word in enumerate(words):
        lower = word.lower()
        if lower in kept:
            result.append(kept[lower])
        elif lower in SMALL_TITLE_WORDS and not at_edge(index, len(words)):
            result.append(lower)
        else:
            result.append(lower[:1].upper() + lower[1:])
    return " ".join(result)
