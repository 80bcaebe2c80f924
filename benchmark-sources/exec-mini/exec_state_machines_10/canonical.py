from typing import List, Tuple


def thermostat_switch_points(readings: List[float], target: float, band: float) -> List[Tuple[int, str]]:
    """(index, 'on' or 'off') for each switch; on below target - band, off above target + band."""
    if band < 0:
        return []
    heating = False
    switches: List[Tuple[int, str]] = []

    def note(when: int, state: str) -> None:
        switches.append((when, state))

    for index, reading in enumerate(readings):
        if not heating and reading < target - band:
            heating = True
            note(index, "on")
        elif heating and reading > target + band:
            heating = False
            note(index, "off")
    return switches
