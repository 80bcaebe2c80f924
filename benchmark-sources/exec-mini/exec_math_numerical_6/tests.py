assert trimmed_mean([], 0) is None
assert trimmed_mean([4], 0) == 4.0
assert trimmed_mean([1, 2, 3, 100], 1) == 2.5
assert trimmed_mean([9, 1, 5], 1) == 5.0
assert trimmed_mean([1, 2], 1) is None
assert trimmed_mean([3, 3, 3, 3], -1) is None
assert trimmed_mean([10, 0, 2, 4, 8], 0) == 4.8
assert trimmed_mean([7, -50, 1, 3, 90, 5, 4], 2) == 4.0
