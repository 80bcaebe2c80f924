ORDER_TRANSITIONS = {
    "new": {"paid", "cancelled"},
    "paid": {"packed", "refunded"},
    "packed": {"shipped", "refunded"},
    "shipped": {"delivered"},
    "delivered": {"refunded"},
}


def order_lifecycle_errors(history):
    """Positions in `history` whose status may not follow the one before; 0 when it does not begin as new."""
    errors = []

    def allowed(current, following):
        return following in ORDER_TRANSITIONS.get(current, set())

    for position, status in enumerate(history):
        if position == 0:
            if status != "new":
                errors.append(position)
            continue
        if not allowed(history[position - 1], status):
            errors.append(position)
    return errors
