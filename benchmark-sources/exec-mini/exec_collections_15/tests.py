assert expire_ttl_entries({}, 10, 5) == {}
assert expire_ttl_entries({"a": (1, 0, 20)}, 10, 5) == {"a": 1}
assert expire_ttl_entries({"a": (1, 0, 10)}, 10, 5) == {}
assert expire_ttl_entries({"a": (1, 0, None)}, 999, 5) == {"a": 1}
assert expire_ttl_entries({"a": (1, 7, "default"), "b": (2, 3, "default")}, 10, 5) == {"a": 1}
assert expire_ttl_entries({"a": (1, 10, 0)}, 10, 5) == {}
assert expire_ttl_entries({"a": ("v", 6, 5), "b": ("w", 5, 5)}, 10, 1) == {"a": "v"}
