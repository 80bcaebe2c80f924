def playback_position(commands, at, length):
    """Seconds into the track at time `at`; commands are (time, name, value) in order of time."""
    position = 0
    playing = False
    last = 0

    def elapsed(since, until):
        return until - since if playing else 0

    def clamp(value):
        return max(0, min(value, length))

    for time, name, value in commands:
        if time > at:
            break
        position = clamp(position + elapsed(last, time))
        last = time
        if name == "seek":
            position = clamp(value)
        else:
            playing = name == "play"
    return clamp(position + elapsed(last, at))
