from collections import Counter
from itertools import combinations


def pairwise_cooccurrence(documents, minimum=1):
    """{(tag, tag): documents with both}, the smaller tag first, at least `minimum` times."""
    pairs = Counter()
    for tags in documents:
        unique = sorted({tag for tag in tags if tag != ""})
        if len(unique) < 2:
            continue
        pairs.update(combinations(unique, 2))
    return {pair: count for pair, count in pairs.items() if count >= minimum}
