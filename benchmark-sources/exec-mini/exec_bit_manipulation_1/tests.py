assert pack_rgb565(0, 0, 0) == 0
assert pack_rgb565(255, 255, 255) == 0xFFFF
assert pack_rgb565(255, 0, 0) == 0xF800
assert pack_rgb565(0, 255, 0) == 0x07E0
assert pack_rgb565(0, 0, 255) == 0x001F
assert pack_rgb565(16, 32, 8) == 4353
assert pack_rgb565(256, 0, 0) is None
assert pack_rgb565(0, -1, 0) is None
