def topological_batches(depends_on):
    """Group names into batches that can run together.

    Args:
        depends_on: name -> names that have to come first

    Returns:
        Batches in order of execution, or None when there is a cycle.
    """
    waiting = {name: set(needs) for name, needs in depends_on.items()}
    for needs in depends_on.values():
        for name in needs:
            waiting.setdefault(name, set())
    batches = []
    while waiting:
        ready = sorted(name for name, needs in waiting.items() if not needs)
        if len(ready) == 0:
            return None
        batches.append(ready)
        for name in ready:
            del waiting[name]
        for needs in waiting.values():
            needs.difference_update(ready)
    return batches
