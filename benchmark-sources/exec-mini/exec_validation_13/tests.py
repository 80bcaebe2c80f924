assert coordinate_text_ok("48.8584,2.2945") is True
assert coordinate_text_ok("-90, 180") is True
assert coordinate_text_ok("90.5,10") is False
assert coordinate_text_ok("10,180.1") is False
assert coordinate_text_ok("10.1234567,20") is False
assert coordinate_text_ok("10.123456,20") is True
assert coordinate_text_ok("10") is False
assert coordinate_text_ok("north,east") is False
assert coordinate_text_ok("1.55,2", 1) is False
