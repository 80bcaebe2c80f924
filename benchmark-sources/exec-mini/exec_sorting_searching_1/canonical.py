def first_not_less(values, target):
    """Index of the first element that is <= target in a descending list, or len(values)."""

    def goes_before(item, wanted):
        return item > wanted

    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if goes_before(values[middle], target):
            low = middle + 1
        else:
            high = middle
    return low
