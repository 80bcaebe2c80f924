from typing import Optional, Tuple


def fat_timestamp_parts(date_word: int, time_word: int) -> Optional[Tuple[int, int, int, int, int, int]]:
    """(year, month, day, hour, minute, second); None for a date word of zero. Seconds are even."""

    def bits(word: int, low: int, count: int) -> int:
        return (word >> low) & ((1 << count) - 1)

    if date_word == 0:
        return None
    year = 1980 + bits(date_word, 9, 7)
    month = bits(date_word, 5, 4)
    day = bits(date_word, 0, 5)
    return (year, month, day, bits(time_word, 11, 5), bits(time_word, 5, 6), bits(time_word, 0, 5) * 2)
