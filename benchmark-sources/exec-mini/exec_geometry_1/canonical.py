def clip_segment_to_interval(segment, interval):
    """The part of (start, end) inside the interval as an ordered pair, or None when it has no length."""
    start, end = segment
    if start > end:
        start, end = end, start
    low = max(start, interval[0])
    high = min(end, interval[1])
    if low >= high:
        return None
    return (low, high)
