def coalesce_columns(records, candidates, default=None):
    """For each record the first candidate field that is present, not None and not blank."""
    picked = []
    for record in records:
        chosen = default
        for field in candidates:
            value = record.get(field, None)
            if value is None:
                continue
            if isinstance(value, str) and value.strip() == "":
                continue
            chosen = value
            break
        picked.append(chosen)
    return picked
