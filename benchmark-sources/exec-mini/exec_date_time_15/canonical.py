from datetime import datetime, timedelta


def working_hours_between(start, end, opens=9, closes=17):
    """Whole and part hours as a float, counted in minutes."""
    if end <= start:
        return 0.0
    minutes = 0
    day = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while day < end:
        if day.weekday() < 5:
            begin = max(start, day + timedelta(hours=opens))
            finish = min(end, day + timedelta(hours=closes))
            if finish > begin:
                minutes += (finish - begin) // timedelta(minutes=1)
        day += timedelta(days=1)
    return minutes / 60
