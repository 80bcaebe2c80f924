assert rectangles_union_area((0, 0, 2, 2), (1, 1, 3, 3)) == 7
assert rectangles_union_area((0, 0, 2, 2), (5, 5, 6, 6)) == 5
assert rectangles_union_area((0, 0, 4, 4), (1, 1, 2, 2)) == 16
assert rectangles_union_area((0, 0, 1, 1), (1, 0, 2, 1)) == 2
assert rectangles_union_area((0, 0, 3, 2), (0, 0, 3, 2)) == 6
assert rectangles_union_area((2, 2, 1, 1), (0, 0, 1, 1)) == 1
assert rectangles_union_area((0, 0, 2, 5), (1, 3, 4, 4)) == 12
assert rectangles_union_area((3, 0, 1, 2), (0, 0, 1, 1)) == 1
