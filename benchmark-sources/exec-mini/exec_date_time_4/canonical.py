def free_slots_between(meetings, day_start, day_end, minimum):
    """Free (start, end) gaps in minutes of the day that last `minimum` minutes or more."""
    if minimum <= 0 or day_end <= day_start:
        return []
    slots = []

    def offer(start, end):
        if end - start >= minimum:
            slots.append((start, end))

    cursor = day_start
    for begin, finish in sorted(meetings):
        offer(cursor, min(begin, day_end))
        cursor = max(cursor, finish)
    offer(cursor, day_end)
    return slots
