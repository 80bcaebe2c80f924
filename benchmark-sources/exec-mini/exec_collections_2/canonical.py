from collections import Counter


def multiset_difference(items: list, removed: list) -> list:
    budget = Counter(removed)
    kept = []
    for item in items:
        if budget[item] > 0:
            budget[item] -= 1
        else:
            kept.append(item)
    return kept
