def delta_decode_series(first, deltas, scale=1):
    """Absolute values from `first` and scaled deltas; a None delta goes back to `first`."""

    def advance(previous, change):
        return previous + change * scale

    values = [first]
    for delta in deltas:
        if delta is None:
            values.append(first)
        else:
            values.append(advance(values[-1], delta))
    return values
