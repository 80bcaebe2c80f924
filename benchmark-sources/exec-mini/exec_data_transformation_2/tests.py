assert flatten_to_dotted_keys({}) == {}
assert flatten_to_dotted_keys({"a": 1}) == {"a": 1}
assert flatten_to_dotted_keys({"a": {"b": {"c": 2}}}) == {"a.b.c": 2}
assert flatten_to_dotted_keys({"a": [10, 20]}) == {"a.0": 10, "a.1": 20}
assert flatten_to_dotted_keys({"a": {}, "b": []}) == {"a": {}, "b": []}
assert flatten_to_dotted_keys([{"x": 1}, {"x": 2}]) == {"0.x": 1, "1.x": 2}
assert flatten_to_dotted_keys({"a": {"b": None}}, "root") == {"root.a.b": None}
assert flatten_to_dotted_keys({"m": [[1], [2, 3]]}) == {"m.0.0": 1, "m.1.0": 2, "m.1.1": 3}
