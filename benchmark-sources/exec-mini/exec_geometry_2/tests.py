assert polygon_signed_area([]) == 0.0
assert polygon_signed_area([(0, 0), (4, 0)]) == 0.0
assert polygon_signed_area([(0, 0), (4, 0), (4, 3)]) == 6.0
assert polygon_signed_area([(0, 0), (0, 2), (2, 2), (2, 0)]) == -4.0
assert polygon_signed_area([(1, 1), (3, 1), (3, 2), (1, 2)]) == 2.0
assert polygon_signed_area([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]) == 10.0
assert polygon_signed_area([(0, 0), (1, 1), (2, 2)]) == 0.0
