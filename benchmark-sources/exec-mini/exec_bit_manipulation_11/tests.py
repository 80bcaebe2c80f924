assert fat_timestamp_parts(0x0021, 0) == (1980, 1, 1, 0, 0, 0)
assert fat_timestamp_parts(0x5878, 0x6B2A) == (2024, 3, 24, 13, 25, 20)
assert fat_timestamp_parts(0, 0x1234) is None
assert fat_timestamp_parts(0xFF9F, 0xBF7D) == (2107, 12, 31, 23, 59, 58)
assert fat_timestamp_parts(0x2A5C, 0x8000) == (2001, 2, 28, 16, 0, 0)
assert fat_timestamp_parts(0x2821, 0x0001) == (2000, 1, 1, 0, 0, 2)
assert fat_timestamp_parts(0x5D9F, 0x07E0) == (2026, 12, 31, 0, 63, 0)
