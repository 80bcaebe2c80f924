assert topological_batches({}) == []
assert topological_batches({"a": []}) == [["a"]]
assert topological_batches({"app": ["lib", "db"], "lib": ["core"], "db": []}) == [["core", "db"], ["lib"], ["app"]]
assert topological_batches({"a": ["b"], "b": ["a"]}) is None
assert topological_batches({"c": ["z"]}) == [["z"], ["c"]]
assert topological_batches({"x": [], "y": [], "w": ["x"]}) == [["x", "y"], ["w"]]
assert topological_batches({"a": ["a"], "b": []}) is None
