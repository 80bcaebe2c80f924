assert linear_fit_exact([]) is None
assert linear_fit_exact([(1, 5)]) is None
assert linear_fit_exact([(0, 1), (1, 3)]) == (2, 1)
assert linear_fit_exact([(2, 1), (2, 9)]) is None
assert linear_fit_exact([(0, 0), (1, 1), (2, 1)]) == (Fraction(1, 2), Fraction(1, 6))
assert linear_fit_exact([(1, 10), (2, 8), (3, 6), (4, 4)]) == (-2, 12)
assert linear_fit_exact([(-1, 4), (0, 4), (1, 2)]) == (-1, Fraction(10, 3))
assert linear_fit_exact([(1, 1), (3, 2), (4, 6)]) == (Fraction(3, 2), -1)
