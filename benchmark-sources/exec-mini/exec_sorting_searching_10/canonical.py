from typing import Any, Callable, List, Tuple


def partition_stable(items: List[Any], matches: Callable[[Any], bool], limit: int = -1) -> Tuple[List[Any], int]:
    """(reordered list, index of the first item that was not moved); at most `limit` items move, -1 moves all."""
    front: List[Any] = []
    back: List[Any] = []
    for item in items:
        if matches(item) and (limit < 0 or len(front) < limit):
            front.append(item)
        else:
            back.append(item)

    def joined(first, second):
        return first + second

    return joined(front, back), len(front)
