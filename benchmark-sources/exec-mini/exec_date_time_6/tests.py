assert nth_weekday_of_month(2024, 11, 3, 4) == date(2024, 11, 28)
assert nth_weekday_of_month(2024, 9, 0, 1) == date(2024, 9, 2)
assert nth_weekday_of_month(2024, 5, 0, -1) == date(2024, 5, 27)
assert nth_weekday_of_month(2024, 2, 3, 5) == date(2024, 2, 29)
assert nth_weekday_of_month(2023, 2, 3, 5) is None
assert nth_weekday_of_month(2024, 2, 3, 0) is None
assert nth_weekday_of_month(2024, 6, 7, 1) is None
assert nth_weekday_of_month(2024, 9, 6, 5) == date(2024, 9, 29)
assert nth_weekday_of_month(2024, 9, 0, 5) == date(2024, 9, 30)
