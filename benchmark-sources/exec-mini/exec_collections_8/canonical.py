def flatten_with_depth(nested: list, depth: int) -> list:
    """Unpack lists inside lists `depth` times; deeper ones stay as they are."""
    if depth < 0:
        return []
    flat = []
    for item in nested:
        if isinstance(item, list) and depth > 0:
            flat.extend(flatten_with_depth(item, depth - 1))
        else:
            flat.append(item)
    return flat
