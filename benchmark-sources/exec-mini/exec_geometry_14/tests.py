assert tile_viewport_range(0, 0, 256, 256) == (0, 0, 0, 0)
assert tile_viewport_range(0, 0, 257, 256) == (0, 0, 1, 0)
assert tile_viewport_range(300, 10, 600, 300) == (1, 0, 3, 1)
assert tile_viewport_range(-1, -257, 2, 10) == (-1, -2, 0, -1)
assert tile_viewport_range(0, 0, 0, 100) is None
assert tile_viewport_range(5, 5, 10, -1) is None
assert tile_viewport_range(10, 20, 30, 5, 10) == (1, 2, 3, 2)
assert tile_viewport_range(512, 0, 1, 1) == (2, 0, 2, 0)
