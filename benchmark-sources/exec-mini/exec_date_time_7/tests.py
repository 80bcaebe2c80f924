assert overlap_minutes((datetime(2024, 5, 1, 9), datetime(2024, 5, 1, 11)), (datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 12))) == 60
assert overlap_minutes((datetime(2024, 5, 1, 9), datetime(2024, 5, 1, 10)), (datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 12))) == 0
assert overlap_minutes((datetime(2024, 5, 1, 9), datetime(2024, 5, 1, 18)), (datetime(2024, 5, 1, 12), datetime(2024, 5, 1, 12, 45))) == 45
assert overlap_minutes((datetime(2024, 5, 1, 23), datetime(2024, 5, 2, 1)), (datetime(2024, 5, 2, 0, 30), datetime(2024, 5, 2, 3))) == 30
assert overlap_minutes((datetime(2024, 5, 1, 9), datetime(2024, 5, 1, 10)), (datetime(2024, 5, 1, 12), datetime(2024, 5, 1, 13))) == 0
assert overlap_minutes((datetime(2024, 5, 1, 9), datetime(2024, 5, 1, 9, 1, 30)), (datetime(2024, 5, 1, 8), datetime(2024, 5, 1, 10))) == 1
assert overlap_minutes((datetime(2024, 5, 1, 9), datetime(2024, 5, 1, 8)), (datetime(2024, 5, 1, 7), datetime(2024, 5, 1, 10))) == 0
