def vending_machine_log(actions, prices):
    """Log lines for actions ('coin', cents), ('select', item) and ('refund', None).

    A selection that costs more than the credit leaves it untouched.
    """
    credit = 0
    log = []

    def change(paid, price):
        return paid - price

    for action, value in actions:
        if action == "coin":
            credit += value
        elif action == "select":
            if value not in prices:
                log.append("unknown " + value)
            elif credit >= prices[value]:
                log.append("vend {} change {}".format(value, change(credit, prices[value])))
                credit = 0
            else:
                log.append("need {}".format(prices[value] - credit))
        elif action == "refund" and credit > 0:
            log.append("refund {}".format(credit))
            credit = 0
    return log
