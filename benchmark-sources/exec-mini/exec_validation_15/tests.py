assert json_pointer_resolves({}, "") is True
assert json_pointer_resolves({"a": {"b": 1}}, "/a/b") is True
assert json_pointer_resolves({"a": {"b": 1}}, "/a/c") is False
assert json_pointer_resolves({"items": [{"n": 1}]}, "/items/0/n") is True
assert json_pointer_resolves({"items": [{"n": 1}]}, "/items/1") is False
assert json_pointer_resolves({"items": [1, 2]}, "/items/01") is False
assert json_pointer_resolves({"a/b": 1}, "/a~1b") is True
assert json_pointer_resolves({"m~n": {"": 2}}, "/m~0n/") is True
assert json_pointer_resolves({"a": 1}, "xa") is False
assert json_pointer_resolves({"a": [7]}, "/a/-") is False
