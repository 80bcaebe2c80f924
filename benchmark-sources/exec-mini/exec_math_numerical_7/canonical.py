def collatz_peak(start, limit=1000):
    """(peak, steps) until 1 is reached; (peak, -1) when `limit` steps were not enough."""
    if start < 1:
        return (0, 0)
    value = peak = start
    for steps in range(limit + 1):
        if value == 1:
            return (peak, steps)
        value = value // 2 if value % 2 == 0 else 3 * value + 1
        peak = max(peak, value)
    return (peak, -1)
