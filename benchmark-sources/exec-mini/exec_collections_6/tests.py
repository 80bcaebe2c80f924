assert invert_multimap({}) == {}
assert invert_multimap({"red": ["apple", "cherry"], "green": ["apple"]}) == {"apple": ["green", "red"], "cherry": ["red"]}
assert invert_multimap({"a": []}) == {}
assert invert_multimap({"a": ["x", "x"]}) == {"x": ["a"]}
assert invert_multimap({"a": ["x", ""], "b": [None]}) == {"x": ["a"]}
assert invert_multimap({"b": ["k"], "a": ["k"], "c": ["k"]}) == {"k": ["a", "b", "c"]}
assert invert_multimap({1: [2], 2: [1]}) == {2: [1], 1: [2]}
