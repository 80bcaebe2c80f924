assert first_free_block(0b0000, 4, 2) == 0
assert first_free_block(0b0101, 8, 2) == 3
assert first_free_block(0b1001, 8, 2) == 1
assert first_free_block(0b00111111, 8, 2) == 6
assert first_free_block(0b01111111, 8, 2) is None
assert first_free_block(0b1111, 4, 1) is None
assert first_free_block(0b0000, 4, 0) is None
assert first_free_block(0, 4, 5) is None
