def weighted_median_low(pairs):
    """Smallest value at which at least half of the total weight is reached; None without positive weight."""
    positive = sorted((value, weight) for value, weight in pairs if weight > 0)
    total = sum(weight for _, weight in positive)
    if total == 0:
        return None
    reached = 0
    for value, weight in positive:
        reached += weight
        if 2 * reached >= total:
            return value
    return None
