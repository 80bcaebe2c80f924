assert shell_like_split("") == []
assert shell_like_split("a b  c") == ["a", "b", "c"]
assert shell_like_split('say "hello world"') == ["say", "hello world"]
assert shell_like_split("x ''") == ["x", ""]
assert shell_like_split('"open') is None
assert shell_like_split("a\\ b") == ["a b"]
assert shell_like_split("'a\\b' c") == ["a\\b", "c"]
assert shell_like_split("pre'fix'ed \"it's\"") == ["prefixed", "it's"]
assert shell_like_split("end ") == ["end"]
