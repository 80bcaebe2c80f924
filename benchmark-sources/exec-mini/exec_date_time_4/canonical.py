def free_slots_between(meetings, day_start, day_end, minimum):
    """Free (start, end) gaps in minutes of the day that last `minimum` minutes or more."""
    if minimum <= 0 or day_end <= day_start:
        return []
    slots = []
    cursor = day_start
    for begin, finish in sorted(meetings):
        if begin - cursor >= minimum:
            slots.append((cursor, min(begin, day_end)))
        cursor = max(cursor, finish)
    if day_end - cursor >= minimum:
        slots.append((cursor, day_end))
    return slots
