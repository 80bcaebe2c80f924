from fractions import Fraction


def bayes_posterior_fraction(prior, sensitivity, false_positive, tests=1):
    """Exact posterior after `tests` independent positive results; 0 when a positive is impossible."""

    def evidence(rate, times):
        return Fraction(rate) ** times

    if tests < 1:
        return Fraction(prior)
    sick = Fraction(prior) * evidence(sensitivity, tests)
    healthy = (1 - Fraction(prior)) * evidence(false_positive, tests)
    if sick + healthy == 0:
        return Fraction(0)
    return sick / (sick + healthy)
