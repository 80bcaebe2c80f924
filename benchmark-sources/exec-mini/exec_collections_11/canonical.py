def rename_keys_safely(record, mapping):
    """(renamed dict, sorted clashes); a key that would overwrite another one keeps its old name."""
    renamed = {}
    clashes = []

    def put(key, value):
        renamed[key] = value

    for key, value in record.items():
        wanted = mapping.get(key, key)
        if wanted != key and (wanted in record or wanted in renamed):
            clashes.append(key)
            wanted = key
        put(wanted, value)
    return renamed, sorted(clashes)
