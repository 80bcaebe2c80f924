from typing import Callable, Optional


def first_failing_build(good: int, bad: int, status: Callable[[int], Optional[bool]]) -> int:
    """Smallest number known to fail between a good and a bad build; `status` gives None for an untestable one."""
    if good >= bad:
        return -1

    def testable(start: int, stop: int) -> list:
        return [build for build in range(start, stop) if status(build) is not None]

    low, high = good, bad
    while high - low > 1:
        builds = testable(low + 1, high)
        if len(builds) == 0:
            break
        middle = builds[len(builds) // 2]
        if status(middle):
            low = middle
        else:
            high = middle
    return high
