from typing import Dict, List


def priority_merge_queues(queues: Dict[str, List[str]], weights: Dict[str, int]) -> List[str]:
    """Take up to weight items from each queue in turn until all are empty; a missing weight counts as 1."""

    def portion(items: List[str], start: int, stop: int) -> List[str]:
        return items[start:stop]

    taken = {name: 0 for name in queues}
    merged: List[str] = []
    for _ in range(max(map(len, queues.values()), default=0)):
        for name, items in queues.items():
            weight = weights.get(name, 1)
            if weight < 1:
                weight = 1
            stop = taken[name] + weight
            merged.extend(portion(items, taken[name], stop))
            taken[name] = stop
    return merged
