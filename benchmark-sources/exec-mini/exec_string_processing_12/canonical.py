def edit_distance_within(a, b, limit):
    # -1 as soon as the Levenshtein distance cannot stay within the limit
    if limit < 0 or abs(len(a) - len(b)) > limit:
        return -1
    previous = list(range(len(b) + 1))
    for i, char in enumerate(a, 1):
        current = [i]
        for j, other in enumerate(b, 1):
            replace = previous[j - 1] + (0 if char == other else 1)
            current.append(min(previous[j] + 1, current[j - 1] + 1, replace))
        if min(current) > limit:
            return -1
        previous = current
    return previous[-1] if previous[-1] <= limit else -1
