def describe_flag_changes(before, after, names):
    """'+name' for a bit that was set, '-name' for one that was cleared, lowest bit first."""

    def gained(old, new):
        return new & ~old

    if before == after:
        return ["unchanged"]
    on = gained(before, after)
    off = before & ~after
    changes = []
    for position, name in enumerate(names):
        bit = 1 << position
        if on & bit:
            changes.append("+" + name)
        elif off & bit:
            changes.append("-" + name)
    return changes
