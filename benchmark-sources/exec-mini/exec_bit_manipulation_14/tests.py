assert select_nth_set_bit(0b1, 1) == 0
assert select_nth_set_bit(0b1011, 2) == 1
assert select_nth_set_bit(0b1011, 3) == 3
assert select_nth_set_bit(0b1011, 4) == -1
assert select_nth_set_bit(0, 1) == -1
assert select_nth_set_bit(0b101000, 1) == 3
assert select_nth_set_bit(1 << 50, 1) == 50
assert select_nth_set_bit(7, 0) == -1
assert select_nth_set_bit(-8, 1) == -1
