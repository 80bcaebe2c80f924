def circuit_breaker_states(outcomes, threshold, cooldown):
    """State seen by each call: 'closed', 'open' (call skipped) or 'half' (trial call).

    `outcomes` tells for each call whether it would succeed; skipped calls are not made.
    """
    states = []
    failures = 0
    skips_left = 0
    for succeeds in outcomes:
        if skips_left > 0:
            states.append("open")
            skips_left -= 1
            continue
        trial = failures >= threshold
        states.append("half" if trial else "closed")
        if succeeds:
            failures = 0
        else:
            failures += 1
            if failures >= threshold:
                skips_left = cooldown
    return states
