from typing import Any, Callable, List, Tuple


def group_consecutive_by(items: List[Any], key: Callable[[Any], Any]) -> List[Tuple[Any, List[Any]]]:
    """Like itertools.groupby, but returns concrete (key, members) pairs."""
    if not items:
        return []
    runs = []
    start = 0
    for index in range(1, len(items) + 1):
        if index == len(items) or key(items[index]) != key(items[start]):
            runs.append((key(items[start]), items[start:index]))
            start = index
    return runs
