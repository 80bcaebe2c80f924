def trimmed_mean(samples, drop):
    """Average without the `drop` lowest and `drop` highest values.

    >>> trimmed_mean([1, 2, 3, 100], 1)
    2.5

    None when nothing is left.
    """
    if drop < 0 or len(samples) <= 2 * drop:
        return None
    ordered = sorted(samples)
    middle = ordered[drop:len(ordered) - drop]
    return sum(middle) / len(middle)
