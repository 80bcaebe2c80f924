from itertools import islice


def ring_buffer_snapshot(stream, capacity):
    """(items oldest first, how many were lost) for a buffer that overwrites its oldest slot."""
    if capacity < 1:
        return ([], len(stream))
    slots = [None] * capacity
    for written, item in enumerate(stream):
        slots[written % capacity] = item
    if len(stream) <= capacity:
        return (list(islice(slots, len(stream))), 0)
    oldest = len(stream) % capacity
    return (slots[oldest:] + slots[:oldest], len(stream) - capacity)
