assert parse_key_value_pairs("") == {}
assert parse_key_value_pairs("a=1; b=two words; flag") == {"a": "1", "b": "two words", "flag": True}
assert parse_key_value_pairs("Host = example ; ; PORT=80;") == {"host": "example", "port": "80"}
assert parse_key_value_pairs("expr=a=b") == {"expr": "a=b"}
assert parse_key_value_pairs("=novalue;x=") == {"x": ""}
assert parse_key_value_pairs("k=1,k=2", ",") == {"k": "2"}
assert parse_key_value_pairs("only") == {"only": True}
