from datetime import date, timedelta


def add_business_days(start: date, days: int, holidays=()) -> date:
    """Date reached after `days` working days; zero or negative counts give `start` back."""
    if days <= 0:
        return start
    closed = set(holidays)
    current = start
    remaining = days
    while remaining > 0:
        current += timedelta(days=1)
        if current.weekday() < 5 and current not in closed:
            remaining -= 1
    return current
