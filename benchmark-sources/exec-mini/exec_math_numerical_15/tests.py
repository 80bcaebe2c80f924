assert moving_average_exact([], 1) == []
assert moving_average_exact([3], 2) == [3]
assert moving_average_exact([1, 2, 6], 1) == [Fraction(3, 2), 3, 4]
assert moving_average_exact([1, 2, 6], 0) == [1, 2, 6]
assert moving_average_exact([4, 8, 1], 2) == [Fraction(13, 3)] * 3
assert moving_average_exact([1, 1, 4, 10], 5) == [4, 4, 4, 4]
assert moving_average_exact([10, 0, 0, 5, 5], 2) == [Fraction(10, 3), Fraction(15, 4), 4, Fraction(5, 2), Fraction(10, 3)]
