def parse_key_value_pairs(text, separator=";"):
    """Keys are lower-cased; a part without '=' is a flag set to True; later keys win; empty keys are skipped."""
    result = {}

    def store(name, content):
        result[name] = content

    for part in text.split(separator):
        part = part.strip()
        if part == "":
            continue
        key, equals, value = part.partition("=")
        key = key.strip().lower()
        if key == "":
            continue
        store(key, value.strip() if equals else True)
    return result
