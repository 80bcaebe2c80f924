assert bounding_box_with_margin([]) is None
assert bounding_box_with_margin([(1, 2)]) == ((1, 2), (1, 2))
assert bounding_box_with_margin([(1, 2), (3, -1)]) == ((1, -1), (3, 2))
assert bounding_box_with_margin([(0, 0)], 2) == ((-2, -2), (2, 2))
assert bounding_box_with_margin([(5, 5), (7, 9), (6, 1)], 1) == ((4, 0), (8, 10))
assert bounding_box_with_margin([(1, 1)], -1) is None
assert bounding_box_with_margin(iter([(2, 3), (4, 3)])) == ((2, 3), (4, 3))
