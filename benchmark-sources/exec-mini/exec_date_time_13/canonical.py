from datetime import date, timedelta


def recurring_event_dates(first, every_weeks, window_start, window_end, cancelled=()):
    """Dates first, first + n weeks, ... inside the closed window, without the cancelled ones."""
    if every_weeks < 1:
        return []
    step = timedelta(weeks=every_weeks)
    dates = []
    current = first
    if current < window_start:
        skipped = (window_start - current) // step
        current += skipped * step
    while current <= window_end:
        if current >= window_start and current not in cancelled:
            dates.append(current)
        current += step
    return dates
