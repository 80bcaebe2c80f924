from typing import List


def elevator_stops(current: int, requests: List[int], going_up: bool = True) -> List[int]:
    """Stops in order: first everything ahead, then back for the rest; repeated requests stop once."""

    def between(floors, low, high):
        return [floor for floor in floors if low <= floor < high]

    if not requests:
        return []
    floors = sorted(set(requests))
    top = floors[-1] + 1
    bottom = floors[0]
    if going_up:
        ahead = between(floors, current, top)
        behind = between(floors, bottom, current)[::-1]
    else:
        ahead = between(floors, bottom, current + 1)[::-1]
        behind = between(floors, current + 1, top)
    return ahead + behind
