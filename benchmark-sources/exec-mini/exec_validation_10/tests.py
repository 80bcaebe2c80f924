assert iban_is_valid("DE89 3704 0044 0532 0130 00") is True
assert iban_is_valid("GB82WEST12345698765432") is True
assert iban_is_valid("NL91 ABNA 0417 1643 00") is True
assert iban_is_valid("NO93 8601 1117 947") is True
assert iban_is_valid("DE89 3704 0044 0532 0130 01") is False
assert iban_is_valid("DE89 3704 0044 0532 0130") is False
assert iban_is_valid("XX00 1234") is False
assert iban_is_valid("") is False
