from datetime import datetime


def overlap_minutes(first, second):
    """
    Minutes shared by two ranges.

    :param first: (start, end) pair of datetimes
    :param second: (start, end) pair of datetimes
    :return: whole minutes, 0 for empty or reversed ranges
    """

    def minutes_between(earlier: datetime, later: datetime) -> int:
        return int((later - earlier).total_seconds() // 60)

    if first[1] <= first[0] or second[1] <= second[0]:
        return 0
    begin = max(first[0], second[0])
    end = min(first[1], second[1])
    return max(0, minutes_between(begin, end))
