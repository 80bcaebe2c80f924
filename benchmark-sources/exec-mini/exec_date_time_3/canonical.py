import calendar
from datetime import date


def shift_months_clamped(day, months):
    """31 January plus one month is the last day of February."""
    index = day.year * 12 + day.month - 1 + months
    year, month0 = divmod(index, 12)
    if year < 1 or year > 9999:
        return None
    last = calendar.monthrange(year, month0 + 1)[1]
    return date(year, month0 + 1, min(day.day, last))
