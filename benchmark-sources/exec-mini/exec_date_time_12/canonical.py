from datetime import date


def age_in_years_and_months(born: date, today: date):
    """(years, months) completed; (0, 0) for somebody not born yet."""

    def months_between(earlier: date, later: date) -> int:
        total = (later.year - earlier.year) * 12 + later.month - earlier.month
        if later.day < earlier.day:
            total -= 1
        return total

    if born > today:
        return (0, 0)
    return divmod(months_between(born, today), 12)
