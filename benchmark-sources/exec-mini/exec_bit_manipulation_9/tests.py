assert rotate_bits_left(1, 1, 8) == 2
assert rotate_bits_left(0x80, 1, 8) == 1
assert rotate_bits_left(0b10110001, 3, 8) == 0b10001101
assert rotate_bits_left(1, -1, 8) == 0x80
assert rotate_bits_left(0x12345678, 8) == 0x34567812
assert rotate_bits_left(0xF1, 0, 4) == 1
assert rotate_bits_left(5, 11, 4) == 10
assert rotate_bits_left(7, 2, 0) == 0
assert rotate_bits_left(9, 1, -4) == 0
