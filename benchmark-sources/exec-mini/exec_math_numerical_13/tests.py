assert bayes_posterior_fraction(Fraction(1, 100), Fraction(9, 10), Fraction(1, 10)) == Fraction(1, 12)
assert bayes_posterior_fraction(Fraction(1, 2), 1, 0) == 1
assert bayes_posterior_fraction(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)) == Fraction(1, 2)
assert bayes_posterior_fraction(0, Fraction(9, 10), Fraction(1, 10)) == 0
assert bayes_posterior_fraction(Fraction(1, 3), 0, 0) == 0
assert bayes_posterior_fraction(Fraction(1, 5), Fraction(4, 5), Fraction(1, 5), 2) == Fraction(4, 5)
assert bayes_posterior_fraction(Fraction(1, 7), 1, Fraction(1, 2), 0) == Fraction(1, 7)
assert bayes_posterior_fraction(Fraction(1, 3), Fraction(1, 4), Fraction(1, 2), -1) == Fraction(1, 3)
