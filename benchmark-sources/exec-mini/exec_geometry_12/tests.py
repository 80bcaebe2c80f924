assert point_segment_distance_squared((1, 2), (0, 0), (4, 0)) == 4
assert point_segment_distance_squared((-3, 4), (0, 0), (4, 0)) == 25
assert point_segment_distance_squared((7, 4), (0, 0), (4, 0)) == 25
assert point_segment_distance_squared((2, 2), (2, 2), (5, 1)) == 0
assert point_segment_distance_squared((0, 1), (0, 0), (1, 1)) == Fraction(1, 2)
assert point_segment_distance_squared((3, 1), (1, 1), (1, 5)) == 4
assert point_segment_distance_squared((2, 5), (0, 1), (3, 2)) == 10
assert point_segment_distance_squared((1, 1), (-1, 0), (2, 3)) == Fraction(1, 2)
assert point_segment_distance_squared((5, 6), (2, 2), (2, 2)) == 25
