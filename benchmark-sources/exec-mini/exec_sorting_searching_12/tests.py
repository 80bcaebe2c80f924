assert first_failing_build(1, 10, lambda n: n < 7) == 7
assert first_failing_build(1, 10, lambda n: n < 2) == 2
assert first_failing_build(1, 10, lambda n: True) == 10
assert first_failing_build(3, 4, lambda n: None) == 4
assert first_failing_build(1, 10, lambda n: None if n in (5, 6) else n < 6) == 7
assert first_failing_build(0, 9, lambda n: None if n % 2 else n < 4) == 4
assert first_failing_build(5, 5, lambda n: False) == -1
assert first_failing_build(8, 2, lambda n: False) == -1
