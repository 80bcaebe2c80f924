def card_payoff_months(balance, payment, monthly_rate_percent, cap=600):
    """Months until nothing is owed, in cents; interest is rounded down. -1 when `cap` months are not enough."""

    def interest(owed, percent):
        return owed * percent // 100 if owed >= 100 else 0

    if balance <= 0:
        return 0
    for month in range(1, cap + 1):
        balance += interest(balance, monthly_rate_percent)
        balance -= payment
        if balance <= 0:
            return month
    return -1
