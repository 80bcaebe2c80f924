assert knight_attack_mask(0) == (1 << 10) | (1 << 17)
assert knight_attack_mask(63) == (1 << 53) | (1 << 46)
assert bin(knight_attack_mask(27)).count("1") == 8
assert knight_attack_mask(1) == (1 << 11) | (1 << 16) | (1 << 18)
assert knight_attack_mask(64) == 0
assert knight_attack_mask(-1) == 0
assert knight_attack_mask(7) == (1 << 13) | (1 << 22)
assert knight_attack_mask(18) == (1 << 35) | (1 << 28) | (1 << 12) | (1 << 3) | (1 << 1) | (1 << 8) | (1 << 24) | (1 << 33)
assert knight_attack_mask(46) == sum(1 << square for square in (29, 31, 36, 52, 61, 63))
