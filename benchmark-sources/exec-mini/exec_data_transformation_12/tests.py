assert split_name_columns("") == {"first": "", "middle": "", "last": ""}
assert split_name_columns("Plato") == {"first": "", "middle": "", "last": "Plato"}
assert split_name_columns("Ada Lovelace") == {"first": "Ada", "middle": "", "last": "Lovelace"}
assert split_name_columns("John Ronald Reuel Tolkien") == {"first": "John", "middle": "Ronald Reuel", "last": "Tolkien"}
assert split_name_columns("Hopper, Grace Brewster") == {"first": "Grace", "middle": "Brewster", "last": "Hopper"}
assert split_name_columns("van Rossum, Guido") == {"first": "Guido", "middle": "", "last": "van Rossum"}
assert split_name_columns("Prince,") == {"first": "", "middle": "", "last": "Prince"}
assert split_name_columns("  Al   Gore ") == {"first": "Al", "middle": "", "last": "Gore"}
