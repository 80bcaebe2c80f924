from typing import List, Tuple


def hex_ring_tiles(center: Tuple[int, int], radius: int) -> List[Tuple[int, int]]:
    """Sorted axial (q, r) coordinates whose hex distance from `center` equals `radius`."""

    def hex_distance(dq: int, dr: int) -> int:
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    if radius < 0:
        return []
    tiles = []
    for dq in range(-radius, radius + 1):
        for dr in range(-radius, radius + 1):
            if hex_distance(dq, dr) == radius:
                tiles.append((center[0] + dq, center[1] + dr))
    return tiles
