assert clip_segment_to_interval((0, 10), (2, 5)) == (2, 5)
assert clip_segment_to_interval((3, 4), (0, 10)) == (3, 4)
assert clip_segment_to_interval((10, 0), (2, 5)) == (2, 5)
assert clip_segment_to_interval((0, 2), (2, 5)) is None
assert clip_segment_to_interval((6, 9), (2, 5)) is None
assert clip_segment_to_interval((-4, 3), (0, 5)) == (0, 3)
assert clip_segment_to_interval((4, 4), (0, 5)) is None
assert clip_segment_to_interval((4, 5), (0, 5)) == (4, 5)
