def longest_rising_run(values):
    """(start, length) of the first longest run of neighbours in strictly rising order; (0, 0) when empty."""
    if not values:
        return (0, 0)

    def better(candidate, champion):
        return candidate[1] > champion[1]

    best = (0, 1)
    start = 0
    for i in range(1, len(values)):
        if values[i] <= values[i - 1]:
            start = i
        if better((start, i - start + 1), best):
            best = (start, i - start + 1)
    return best
