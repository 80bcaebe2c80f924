assert working_hours_between(datetime(2024, 5, 6, 9), datetime(2024, 5, 6, 17)) == 8.0
assert working_hours_between(datetime(2024, 5, 6, 8), datetime(2024, 5, 6, 18)) == 8.0
assert working_hours_between(datetime(2024, 5, 10, 16), datetime(2024, 5, 13, 10)) == 2.0
assert working_hours_between(datetime(2024, 5, 11, 9), datetime(2024, 5, 12, 17)) == 0.0
assert working_hours_between(datetime(2024, 5, 6, 10, 30), datetime(2024, 5, 6, 11)) == 0.5
assert working_hours_between(datetime(2024, 5, 7, 12), datetime(2024, 5, 6, 12)) == 0.0
assert working_hours_between(datetime(2024, 5, 6, 18), datetime(2024, 5, 7, 8)) == 0.0
assert working_hours_between(datetime(2024, 5, 6, 12), datetime(2024, 5, 8, 12), 10, 16) == 12.0
