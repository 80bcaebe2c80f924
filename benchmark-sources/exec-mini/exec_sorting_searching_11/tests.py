assert latest_entry_before([(1, "a"), (4, "b"), (9, "c")], 5) == "b"
assert latest_entry_before([(1, "a"), (4, "b"), (9, "c")], 4) == "b"
assert latest_entry_before([(1, "a"), (4, "b"), (9, "c")], 100) == "c"
assert latest_entry_before([(1, "a"), (4, "b"), (9, "c")], 0) is None
assert latest_entry_before([(1, "a"), (4, "b"), (9, "c")], 8, 3) is None
assert latest_entry_before([(1, "a"), (4, "b"), (9, "c")], 7, 3) == "b"
assert latest_entry_before([(2, "x"), (2, "y"), (3, "z")], 2) == "y"
