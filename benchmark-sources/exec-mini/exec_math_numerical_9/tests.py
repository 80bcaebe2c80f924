assert weighted_median_low([]) is None
assert weighted_median_low([(5, 0)]) is None
assert weighted_median_low([(1, 1), (2, 1), (3, 1)]) == 2
assert weighted_median_low([(1, 1), (2, 1)]) == 1
assert weighted_median_low([(10, 1), (1, 5)]) == 1
assert weighted_median_low([(3, 2), (1, 2), (2, 3)]) == 2
assert weighted_median_low([(1, -4), (2, 1), (9, 2)]) == 9
assert weighted_median_low([(1, 2), (5, 1), (6, 1)]) == 1
