def traffic_light_at(seconds, durations, offset=0):
    """Colour after `seconds`; `durations` is an ordered list of (colour, seconds) that repeats for ever."""

    def position(elapsed, shift):
        return (elapsed - shift) % cycle

    cycle = sum(length for _, length in durations if length > 0)
    if cycle == 0:
        return "off"
    remaining = position(seconds, offset)
    for colour, length in durations:
        if length <= 0:
            continue
        if remaining < length:
            return colour
        remaining -= length
    return "off"
