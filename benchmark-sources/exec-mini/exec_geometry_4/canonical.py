from typing import Iterable, Optional, Tuple

Point = Tuple[float, float]


def bounding_box_with_margin(points: Iterable[Point], margin: float = 0) -> Optional[Tuple[Point, Point]]:
    points = list(points)
    if not points or margin < 0:
        return None
    xs = [x for x, _ in points]
    ys = [y for _, y in points]

    def corner(x: float, y: float, shift: float) -> Point:
        return (x + shift, y + shift)

    return (corner(min(xs), min(ys), -margin), corner(max(xs), max(ys), margin))
