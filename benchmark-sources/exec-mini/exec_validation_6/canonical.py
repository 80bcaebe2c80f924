def booking_conflicts(existing, start, end, opens=8, closes=22):
    """Reasons why the half-open slot [start, end) cannot be booked; [] when it can."""
    if end <= start:
        return ["empty"]
    reasons = []
    if start < opens or end > closes:
        reasons.append("closed")

    def overlaps(begin, finish):
        return begin < end and start < finish

    for name, begin, finish in existing:
        if overlaps(begin, finish):
            reasons.append("clash " + name)
    return reasons
