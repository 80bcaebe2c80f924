def rolling_difference_percent(values, lag=1):
    """Change against the value `lag` places earlier, in percent with one decimal; None where undefined."""

    def change(previous, current):
        return round(100 * (current - previous) / abs(previous), 1)

    if lag < 1:
        return [None] * len(values)
    result = []
    for i, value in enumerate(values):
        if i < lag or values[i - lag] == 0:
            result.append(None)
        else:
            result.append(change(values[i - lag], value))
    return result
