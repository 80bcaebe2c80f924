import calendar
from datetime import date


def nth_weekday_of_month(year, month, weekday, n):
    """n counts from 1; a negative n counts from the end; None when the month has no such day."""

    def days_until(current, wanted):
        return (wanted - current) % 7

    if n == 0 or not 0 <= weekday <= 6:
        return None
    first_weekday, length = calendar.monthrange(year, month)
    offset = days_until(first_weekday, weekday)
    days = list(range(1 + offset, length + 1, 7))
    if abs(n) > len(days):
        return None
    return date(year, month, days[n - 1] if n > 0 else days[n])
