assert pairwise_cooccurrence([]) == {}
assert pairwise_cooccurrence([["a"]]) == {}
assert pairwise_cooccurrence([["b", "a"]]) == {("a", "b"): 1}
assert pairwise_cooccurrence([["a", "b"], ["b", "a", "c"]]) == {("a", "b"): 2, ("a", "c"): 1, ("b", "c"): 1}
assert pairwise_cooccurrence([["a", "b"], ["b", "a", "c"]], 2) == {("a", "b"): 2}
assert pairwise_cooccurrence([["x", "", "x", "y"]]) == {("x", "y"): 1}
assert pairwise_cooccurrence([["a", "b"]], 2) == {}
assert pairwise_cooccurrence([["p", "q"], ["q", "p"], ["p", "q"]], 3) == {("p", "q"): 3}
