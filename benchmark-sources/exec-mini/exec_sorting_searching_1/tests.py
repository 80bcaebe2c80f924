assert first_not_less([], 3) == 0
assert first_not_less([9, 7, 5, 3], 7) == 1
assert first_not_less([9, 7, 5, 3], 6) == 2
assert first_not_less([9, 7, 5, 3], 10) == 0
assert first_not_less([9, 7, 5, 3], 1) == 4
assert first_not_less([4, 4, 4], 4) == 0
assert first_not_less([8, 6, 6, 6, 2], 6) == 1
assert first_not_less([8, 6, 6, 6, 2], 2) == 4
