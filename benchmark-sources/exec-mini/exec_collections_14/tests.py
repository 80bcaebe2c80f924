assert diff_keyed_lists([], []) == {"added": [], "removed": [], "changed": []}
assert diff_keyed_lists([{"id": 1}], []) == {"added": [], "removed": [1], "changed": []}
assert diff_keyed_lists([], [{"id": 2}, {"id": 1}]) == {"added": [1, 2], "removed": [], "changed": []}
assert diff_keyed_lists([{"id": 1, "v": 1}], [{"id": 1, "v": 2}]) == {"added": [], "removed": [], "changed": [1]}
assert diff_keyed_lists([{"id": 1, "v": 1}], [{"id": 1, "v": 1}]) == {"added": [], "removed": [], "changed": []}
assert diff_keyed_lists([{"n": "a"}, {"id": 9}], [{"n": "b", "id": 9}], "n") == {"added": ["b"], "removed": ["a"], "changed": []}
assert diff_keyed_lists([{"id": "x"}], [{"id": "y"}]) == {"added": ["y"], "removed": ["x"], "changed": []}
