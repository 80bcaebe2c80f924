assert circuit_breaker_states([], 2, 1) == []
assert circuit_breaker_states([True, True], 2, 1) == ["closed", "closed"]
assert circuit_breaker_states([False, False, True, True], 2, 1) == ["closed", "closed", "open", "half"]
assert circuit_breaker_states([False, True, False, True], 2, 1) == ["closed"] * 4
assert circuit_breaker_states([False, False, False, False, False], 1, 2) == ["closed", "open", "open", "half", "open"]
assert circuit_breaker_states([False, True, True, True], 1, 1) == ["closed", "open", "half", "closed"]
assert circuit_breaker_states([False, False, True], 2, 0) == ["closed", "closed", "half"]
assert circuit_breaker_states([False, False, False, False, True], 3, 1) == ["closed", "closed", "closed", "open", "half"]
