def rotated_minimum_index(values):
    """Index of the first smallest element of a rotated ascending list; -1 for an empty list."""
    if not values:
        return -1

    def is_after_drop(left, right):
        return left > right

    for index in range(1, len(values)):
        if is_after_drop(values[index - 1], values[index]):
            return index
    return 0
