assert dense_rank_scores({}) == {}
assert dense_rank_scores({"ann": 5}) == {"ann": 1}
assert dense_rank_scores({"ann": 5, "bob": 7}) == {"bob": 1, "ann": 2}
assert dense_rank_scores({"a": 3, "b": 3, "c": 1}) == {"a": 1, "b": 1, "c": 2}
assert dense_rank_scores({"a": 61, "b": 59, "c": 59, "d": 60}, True) == {"b": 1, "c": 1, "d": 2, "a": 3}
assert dense_rank_scores({"a": 0, "b": -1}) == {"a": 1, "b": 2}
assert dense_rank_scores({"x": 9, "y": 9, "z": 9}) == {"x": 1, "y": 1, "z": 1}
