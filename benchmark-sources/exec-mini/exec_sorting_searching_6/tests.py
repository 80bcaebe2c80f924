assert closest_pair_sum([], [1], 5) is None
assert closest_pair_sum([1], [], 5) is None
assert closest_pair_sum([1, 4, 5, 7], [10, 20, 30, 40], 32) == (1, 30)
assert closest_pair_sum([1, 4, 5, 7], [10, 20, 30, 40], 50) == (7, 40)
assert closest_pair_sum([2], [3], 100) == (2, 3)
assert closest_pair_sum([1, 2, 3], [1, 2, 3], 4) == (1, 3)
assert closest_pair_sum([-5, 0, 9], [-4, 2], 0) == (0, 2)
assert closest_pair_sum([1, 10], [1, 10], 2) == (1, 1)
assert closest_pair_sum([0, 6, 8], [5, 7], 11) == (6, 5)
