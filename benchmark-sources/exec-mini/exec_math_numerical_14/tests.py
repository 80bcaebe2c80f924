assert bisected_integer_root(0, 3) == 0
assert bisected_integer_root(27, 3) == 3
assert bisected_integer_root(26, 3) == 2
assert bisected_integer_root(28, 3) == 3
assert bisected_integer_root(10 ** 40, 4) == 10 ** 10
assert bisected_integer_root(99, 1) == 99
assert bisected_integer_root(-8, 3) == -1
assert bisected_integer_root(16, 0) == -1
assert bisected_integer_root(2 ** 60 - 1, 2) == 2 ** 30 - 1
assert bisected_integer_root(1, 5) == 1
