def closest_pair_sum(left, right, target):
    """(a, b) with a from `left` and b from `right`, both ascending; the first best pair found wins."""
    if not left or not right:
        return None

    def distance(a, b):
        return abs(a + b - target)

    best = (left[0], right[-1])
    i, j = 0, len(right) - 1
    while i < len(left) and j >= 0:
        if distance(left[i], right[j]) < distance(*best):
            best = (left[i], right[j])
        if left[i] + right[j] < target:
            i += 1
        else:
            j -= 1
    return best
