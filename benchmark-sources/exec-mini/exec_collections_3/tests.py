assert merge_nested_settings({}, {}) == {}
assert merge_nested_settings({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}
assert merge_nested_settings({"a": 1}, {"a": 2}) == {"a": 2}
assert merge_nested_settings({"db": {"host": "x", "port": 1}}, {"db": {"port": 2}}) == {"db": {"host": "x", "port": 2}}
assert merge_nested_settings({"a": 1, "b": 2}, {"a": None}) == {"b": 2}
assert merge_nested_settings({"a": {"b": {"c": 1, "d": 1}}}, {"a": {"b": {"c": 5}}}) == {"a": {"b": {"c": 5, "d": 1}}}
assert merge_nested_settings({"a": {"x": 1}}, {"a": 7}) == {"a": 7}
assert merge_nested_settings({"a": 7}, {"a": {"x": 1}}) == {"a": {"x": 1}}
