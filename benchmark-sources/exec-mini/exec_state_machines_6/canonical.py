def split_csv_fields(line: str, separator: str = ",") -> list:
    """Fields of a single line; a quote inside quotes is written twice."""
    fields = []
    current = ""
    quoted = False
    position = 0
    while position < len(line):
        char = line[position]
        if quoted:
            if char == '"' and line[position + 1:position + 2] == '"':
                current += char
                position += 1
            elif char == '"':
                quoted = False
            else:
                current += char
        elif char == '"':
            quoted = True
        elif char == separator:
            fields.append(current)
            current = ""
        else:
            current += char
        position += 1
    fields.append(current)
    return fields
