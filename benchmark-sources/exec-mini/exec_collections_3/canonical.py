def merge_nested_settings(base: dict, override: dict) -> dict:
    """Return a new dict; neither input is modified."""
    merged = dict(base)
    for key, value in override.items():
        if value is None:
            merged.pop(key, None)
            continue
        current = merged.get(key)
        if isinstance(current, dict) and isinstance(value, dict):
            merged[key] = merge_nested_settings(current, value)
        else:
            merged[key] = value
    return merged
