assert playback_position([], 10, 100) == 0
assert playback_position([(0, "play", 0)], 10, 100) == 10
assert playback_position([(2, "play", 0), (5, "pause", 0)], 20, 100) == 3
assert playback_position([(0, "play", 0), (4, "seek", 50)], 10, 100) == 56
assert playback_position([(0, "play", 0)], 500, 100) == 100
assert playback_position([(0, "seek", 30), (3, "play", 0)], 5, 100) == 32
assert playback_position([(0, "play", 0), (8, "seek", 90)], 6, 100) == 6
assert playback_position([(0, "play", 0), (5, "seek", 50)], 5, 100) == 50
assert playback_position([(1, "seek", -5), (1, "play", 0), (3, "stop", 0)], 9, 100) == 2
