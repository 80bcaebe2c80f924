def nest_flat_categories(rows):
    """Roots as {'id', 'children'}; rows are (id, parent) and an unknown or own parent makes a root."""
    nodes = {row[0]: {"id": row[0], "children": []} for row in rows}
    roots = []

    def attach(child, parent):
        nodes[parent]["children"].append(nodes[child])

    for name, parent in rows:
        if parent is None or parent not in nodes or parent == name:
            roots.append(nodes[name])
        else:
            attach(name, parent)
    return roots
