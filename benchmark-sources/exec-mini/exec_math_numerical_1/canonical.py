def split_bill_evenly(total_cents, people):
    """Shares in cents, larger ones first, that add up to the total exactly."""
    if people <= 0:
        return []
    share, leftover = divmod(total_cents, people)
    return [share + 1] * leftover + [share] * (people - leftover)
