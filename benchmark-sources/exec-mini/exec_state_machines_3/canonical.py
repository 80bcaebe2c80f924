def debounce_button(samples, stable):
    # returns the sample indexes at which a rising edge is accepted
    if stable < 1:
        return []
    presses = []
    accepted = 0
    candidate = 0
    run = 0
    for index, level in enumerate(samples):
        if level == candidate:
            run += 1
        else:
            candidate, run = level, 1
        if run >= stable and candidate != accepted:
            accepted = candidate
            if accepted == 1:
                presses.append(index)
    return presses
