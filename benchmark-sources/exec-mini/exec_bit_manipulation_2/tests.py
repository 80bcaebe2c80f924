assert write_register_field(0, 5, 0, 3) == 5
assert write_register_field(0xFF, 0, 4, 4) == 0x0F
assert write_register_field(0xFF, 0, 4, 2) == 0xCF
assert write_register_field(0b1010, 0b11, 1, 2) == 0b1110
assert write_register_field(0, 0x1F, 2, 3) == 0x1C
assert write_register_field(0x1234, 7, 3, 0) == 0x1234
assert write_register_field(0x0F, 1, 8, 1) == 0x10F
assert write_register_field(0x55, 3, 2, -1) == 0x55
