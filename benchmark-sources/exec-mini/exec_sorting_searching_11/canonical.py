def latest_entry_before(entries, moment, max_age=None):
    """Message of the newest (time, message) that is not after `moment`; None when there is none that is young enough."""
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high) // 2
        if entries[middle][0] <= moment:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return None

    def too_old(written, now):
        return max_age is not None and now - written > max_age

    time, message = entries[low - 1]
    return None if too_old(time, moment) else message
