assert crc8_of_bytes(b"") == 0
assert crc8_of_bytes(b"", 0x5A) == 0x5A
assert crc8_of_bytes(b"123456789") == 0xF4
assert crc8_of_bytes(b"\x00") == 0
assert crc8_of_bytes(b"\x01") == 0x07
assert crc8_of_bytes(b"\x80") == 0x89
assert crc8_of_bytes(b"\x01", 1) == 0
assert crc8_of_bytes(b"abc") == 0x5F
