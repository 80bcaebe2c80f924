def bucket_histogram(readings, low, high, buckets):
    """Counts per bucket; `high` itself falls into the last one, anything outside is ignored."""
    if buckets < 1 or low >= high:
        return []
    counts = [0] * buckets
    width = high - low
    for reading in readings:
        if low <= reading <= high:
            slot = (reading - low) * buckets // width
            counts[min(slot, buckets - 1)] += 1
    return counts
