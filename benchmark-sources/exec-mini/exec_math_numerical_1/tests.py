assert split_bill_evenly(100, 4) == [25, 25, 25, 25]
assert split_bill_evenly(100, 3) == [34, 33, 33]
assert split_bill_evenly(8, 2) == [4, 4]
assert split_bill_evenly(5, 7) == [1, 1, 1, 1, 1, 0, 0]
assert split_bill_evenly(101, 1) == [101]
assert split_bill_evenly(999, 2) == [500, 499]
assert split_bill_evenly(10, -2) == []
assert sum(split_bill_evenly(12345, 11)) == 12345
