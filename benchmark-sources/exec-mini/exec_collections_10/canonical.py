def tree_paths_to_leaves(tree, depth=8, prefix=""):
    """Paths in key order; an empty dict, or anything below `depth` levels, counts as a leaf."""

    def extend(path, key):
        return path + "/" + key if path else key

    if depth == 0 or not isinstance(tree, dict) or not tree:
        return [prefix]
    paths = []
    for key in sorted(tree):
        paths.extend(tree_paths_to_leaves(tree[key], depth - 1, extend(prefix, key)))
    return paths
