def timezone_offset_shift(clock, source, target):
    """('HH:MM', day shift of -1, 0 or 1) for `clock` at offset `source` seen at offset `target`."""

    def offset_minutes(text):
        if text == "Z":
            return 0
        sign = -1 if text[0] == "-" else 1
        hours, minutes = text[1:].split(":")
        return sign * (int(hours) * 60 + int(minutes))

    def difference(here, there):
        return offset_minutes(there) - offset_minutes(here)

    hours, minutes = clock.split(":")
    moved = int(hours) * 60 + int(minutes) + difference(source, target)
    shift, minute_of_day = divmod(moved, 1440)
    return ("%02d:%02d" % divmod(minute_of_day, 60), shift)
