def turnstile_revenue(events, price=1):
    """(passages, rejected, coins kept) after a list of 'coin' and 'push' events.

    Coins put in while the gate is already open are kept but buy nothing.
    """
    state = "locked"
    inserted = passages = rejected = kept = 0
    for event in events:
        if event == "coin":
            kept += 1
            if state == "locked":
                inserted += 1
                if inserted >= price:
                    state, inserted = "open", 0
        elif event == "push":
            if state == "open":
                passages += 1
                state = "locked"
            else:
                rejected += 1
    return (passages, rejected, kept)
