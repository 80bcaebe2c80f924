assert isbn13_check_ok("978-0-306-40615-7") is True
assert isbn13_check_ok("9780306406157") is True
assert isbn13_check_ok("978-0-306-40615-8") is False
assert isbn13_check_ok("979 10 90636 07 1") is True
assert isbn13_check_ok("978030640615") is False
assert isbn13_check_ok("1234567890128") is False
assert isbn13_check_ok("97803064061x57") is False
assert isbn13_check_ok("") is False
