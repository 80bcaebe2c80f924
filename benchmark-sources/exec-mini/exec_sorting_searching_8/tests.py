assert rotated_minimum_index([]) == -1
assert rotated_minimum_index([5]) == 0
assert rotated_minimum_index([1, 2, 3]) == 0
assert rotated_minimum_index([3, 4, 1, 2]) == 2
assert rotated_minimum_index([2, 2, 2]) == 0
assert rotated_minimum_index([2, 3, 1]) == 2
assert rotated_minimum_index([9, 1, 1, 5]) == 1
assert rotated_minimum_index([3, 3, 3, 0, 3]) == 3
