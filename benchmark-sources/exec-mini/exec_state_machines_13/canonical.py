def fold_upload_events(events):
    """{'status', 'bytes', 'ignored'}; events that do not fit the current status are counted as ignored."""
    moves = {
        ("idle", "start"): "running",
        ("running", "pause"): "paused",
        ("paused", "resume"): "running",
        ("running", "done"): "finished",
        ("running", "abort"): "idle",
        ("paused", "abort"): "idle",
    }
    status, received, ignored = "idle", 0, 0

    def following(current, event):
        return moves.get((current, event), None)

    for event, size in events:
        if event == "chunk" and status == "running" and size > 0:
            received += size
            continue
        target = following(status, event)
        if target is None:
            ignored += 1
            continue
        if target == "idle":
            received = 0
        status = target
    return {"status": status, "bytes": received, "ignored": ignored}
