assert insertion_moves([]) == 0
assert insertion_moves([1, 2, 3]) == 0
assert insertion_moves([3, 2, 1]) == 3
assert insertion_moves([2, 2, 1]) == 2
assert insertion_moves([5, 5, 5]) == 0
assert insertion_moves([1, 4, 3, 2]) == 3
assert insertion_moves([2, 1]) == 1
assert insertion_moves([4, 1, 3, 2, 5, 0]) == 9
