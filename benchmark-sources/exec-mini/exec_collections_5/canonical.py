from collections import Counter


def top_k_with_ties(values, k):
    if k < 1:
        return []
    counted = sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0]))
    if len(counted) <= k:
        return counted
    threshold = counted[k - 1][1]
    return [pair for pair in counted if pair[1] >= threshold]
