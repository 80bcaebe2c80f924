assert point_in_polygon_evenodd((2, 2), [(0, 0), (4, 0), (4, 4), (0, 4)]) is True
assert point_in_polygon_evenodd((5, 2), [(0, 0), (4, 0), (4, 4), (0, 4)]) is False
assert point_in_polygon_evenodd((-1, 2), [(0, 0), (4, 0), (4, 4), (0, 4)]) is False
assert point_in_polygon_evenodd((1, 1), [(0, 0), (4, 0), (0, 4)]) is True
assert point_in_polygon_evenodd((3, 3), [(0, 0), (4, 0), (0, 4)]) is False
assert point_in_polygon_evenodd((3, 4), [(0, 0), (6, 0), (6, 5), (3, 2), (0, 5)]) is False
assert point_in_polygon_evenodd((1, 3), [(0, 0), (6, 0), (6, 5), (3, 2), (0, 5)]) is True
assert point_in_polygon_evenodd((1, 1), [(0, 0), (2, 2)]) is False
