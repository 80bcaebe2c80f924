def compound_with_deposits(opening, deposit, yearly_percent, months):
    """Balance in cents; interest is added first, then the deposit."""

    def monthly_interest(balance, percent):
        if balance <= 0:
            return 0
        return (2 * balance * percent + 1200) // 2400

    balance = opening
    for _ in range(months):
        balance += monthly_interest(balance, yearly_percent)
        balance += deposit
    return balance
