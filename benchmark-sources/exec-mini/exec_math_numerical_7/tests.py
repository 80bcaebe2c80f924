assert card_payoff_months(0, 100, 2) == 0
assert card_payoff_months(-50, 100, 2) == 0
assert card_payoff_months(1000, 1000, 0) == 1
assert card_payoff_months(1000, 400, 0) == 3
assert card_payoff_months(10000, 5100, 2) == 3
assert card_payoff_months(10000, 200, 2) == -1
assert card_payoff_months(90, 30, 50) == 3
assert card_payoff_months(1000, 100, 0, 10) == 10
assert card_payoff_months(1000, 100, 0, 9) == -1
assert card_payoff_months(100, 50, 10) == 3
