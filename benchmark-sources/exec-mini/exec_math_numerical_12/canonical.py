def prime_gaps_between(low, high, at_least=2):
    """(p, q) of neighbouring primes, both inside the closed interval, with q - p >= at_least."""

    def is_prime(number):
        if number < 2:
            return False
        divisor = 2
        while divisor * divisor <= number:
            if number % divisor == 0:
                return False
            divisor += 1
        return True

    def gap(smaller, larger):
        return larger - smaller

    primes = [number for number in range(low, high + 1) if is_prime(number)]
    return [(p, q) for p, q in zip(primes, primes[1:]) if gap(p, q) >= at_least]
