from datetime import date, timedelta


def iso_week_label(day: date) -> str:
    """Computed from the Thursday of the same week, which decides the ISO year."""

    def label(year, week):
        return "{}-W{:02d}".format(year, week)

    thursday = day + timedelta(days=3 - day.weekday())
    first = date(thursday.year, 1, 1)
    return label(thursday.year, (thursday - first).days // 7 + 1)
