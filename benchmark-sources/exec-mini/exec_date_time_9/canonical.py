def merge_time_ranges(shifts):
    """Merged (start, end) pairs in order of start; shifts that end before they start are dropped."""

    def minutes(text):
        hours, _, rest = text.partition(":")
        return int(hours) * 60 + int(rest)

    def clock(total):
        return "{:02d}:{:02d}".format(total // 60, total % 60)

    spans = sorted((minutes(a), minutes(b)) for a, b in shifts)
    merged = []
    for start, end in spans:
        if end <= start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return [(clock(start), clock(end)) for start, end in merged]
