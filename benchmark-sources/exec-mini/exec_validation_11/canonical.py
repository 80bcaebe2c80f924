from calendar import monthrange
from datetime import date


def date_range_filter_errors(start, end, max_days=366):
    """Messages for two ISO dates; blank means open ended."""

    def parse(text, name):
        pieces = text.split("-")
        if [len(piece) for piece in pieces] != [4, 2, 2] or not "".join(pieces).isdecimal():
            errors.append(name + " is not a date")
            return None
        year, month, day = map(int, pieces)
        if year < 1 or not 1 <= month <= 12 or not 1 <= day <= monthrange(year, month)[1]:
            errors.append(name + " is out of range")
            return None
        return date(year, month, day).toordinal()

    errors = []
    first = parse(start, "start") if start else None
    last = parse(end, "end") if end else None
    if first is not None and last is not None:
        if last < first:
            errors.append("end is before start")
        elif last - first > max_days:
            errors.append("range is too long")
    return errors
