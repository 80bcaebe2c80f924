def roster_rule_violations(shifts, max_run=5, min_rest=11):
    """Messages for one person's shifts, given as (day number, start hour, end hour) in order of time."""
    problems = []

    def rest_hours(earlier, later):
        return (later[0] - earlier[0]) * 24 + later[1] - earlier[2]

    run = 0
    previous = None
    for shift in shifts:
        if previous is None:
            run = 1
        else:
            if rest_hours(previous, shift) < min_rest:
                problems.append("rest before day {}".format(shift[0]))
            gap = shift[0] - previous[0]
            if gap == 1:
                run += 1
            elif gap > 1:
                run = 1
        if run > max_run:
            problems.append("run on day {}".format(shift[0]))
        previous = shift
    return problems
