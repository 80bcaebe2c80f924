assert morton_interleave(0, 0) == 0
assert morton_interleave(1, 0) == 1
assert morton_interleave(0, 1) == 2
assert morton_interleave(3, 3) == 15
assert morton_interleave(5, 2) == 25
assert morton_interleave(7, 0, 2) == 5
assert morton_interleave(-1, 4) == -1
assert morton_interleave(4, -1) == -1
assert morton_interleave(32768, 0) == 1 << 30
