assert hex_ring_tiles((0, 0), 0) == [(0, 0)]
assert hex_ring_tiles((0, 0), 1) == [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
assert len(hex_ring_tiles((0, 0), 3)) == 18
assert hex_ring_tiles((5, -2), 0) == [(5, -2)]
assert hex_ring_tiles((2, 3), 1) == [(1, 3), (1, 4), (2, 2), (2, 4), (3, 2), (3, 3)]
assert hex_ring_tiles((0, 0), -1) == []
assert (2, -1) in hex_ring_tiles((0, 0), 2)
assert (2, 1) not in hex_ring_tiles((0, 0), 2)
