from datetime import date


def fiscal_quarter_of(day: date, first_month: int = 4):
    """(fiscal year, quarter); the fiscal year carries the number of the calendar year in which it ends."""
    if first_month == 1:
        return (day.year, (day.month - 1) // 3 + 1)
    months_in = (day.month - first_month) % 12
    year = day.year + 1 if day.month >= first_month else day.year
    return (year, months_in // 3 + 1)
