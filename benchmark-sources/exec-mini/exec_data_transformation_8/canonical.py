def resample_forward_fill(samples, start, stop):
    """One value for each tick in start..stop-1; ticks before the first sample are None."""
    if stop <= start:
        return []
    known = dict(samples)
    earlier = [tick for tick in known if tick < start]
    current = known[max(earlier)] if earlier else None
    filled = []
    for tick in range(start, stop):
        current = known.get(tick, current)
        filled.append(current)
    return filled
