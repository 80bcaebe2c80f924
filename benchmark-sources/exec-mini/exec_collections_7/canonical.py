def sliding_window_distinct(values, size):
    if size <= 0 or size > len(values):
        return []
    counts = {}
    result = []
    for position, value in enumerate(values):
        counts[value] = counts.get(value, 0) + 1
        if position >= size:
            leaving = values[position - size]
            counts[leaving] -= 1
            if counts[leaving] == 0:
                del counts[leaving]
        if position >= size - 1:
            result.append(len(counts))
    return result
