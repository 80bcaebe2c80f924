from fractions import Fraction
from typing import List, Sequence


def moving_average_exact(values: Sequence[int], radius: int) -> List[Fraction]:
    """Mean of up to `radius` neighbours on each side and the value itself."""
    if radius <= 0:
        return [Fraction(value) for value in values]
    means = []
    for i in range(len(values)):
        first = max(0, i - radius)
        last = min(len(values), i + radius + 1)
        window = values[first:last]
        means.append(Fraction(sum(window), len(window)))
    return means
