def flatten_to_dotted_keys(document, prefix=""):
    flat = {}

    def join(left, right):
        return f"{left}.{right}" if left else str(right)

    if isinstance(document, dict):
        children = document.items()
    else:
        children = enumerate(document)
    for key, value in children:
        path = join(prefix, key)
        if isinstance(value, (dict, list)) and value:
            flat.update(flatten_to_dotted_keys(value, path))
        else:
            flat[path] = value
    return flat
