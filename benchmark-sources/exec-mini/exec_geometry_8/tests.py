assert segments_cross((0, 0), (4, 4), (0, 4), (4, 0)) is True
assert segments_cross((0, 0), (1, 1), (2, 2), (3, 3)) is False
assert segments_cross((0, 0), (4, 0), (2, 0), (2, 3)) is False
assert segments_cross((0, 0), (4, 0), (2, -1), (2, 3)) is True
assert segments_cross((0, 0), (1, 0), (2, -1), (2, 1)) is False
assert segments_cross((0, 0), (0, 0), (-1, -1), (1, 1)) is False
assert segments_cross((0, 0), (4, 1), (4, 0), (0, 3)) is True
assert segments_cross((0, 0), (1, 5), (3, 0), (4, 5)) is False
