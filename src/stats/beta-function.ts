const HALF_LOG_2PI = 0.9189385332046727;

/** Returns ln Γ(x) for x > 0, relative error near 1e-15: Stirling's series, reached by the recurrence below 10. */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`logGamma is for positive numbers, got ${x}.`);
  let shifted = x;
  let product = 1;
  while (shifted < 10) {
    product *= shifted;
    shifted += 1;
  }
  return (
    (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_2PI + stirlingRest(shifted) - Math.log(product)
  );
}

/** What Stirling's formula leaves out of ln Γ(x), for x >= 10. */
function stirlingRest(x: number): number {
  const square = 1 / (x * x);
  return (
    (1 / 12 +
      square *
        (-1 / 360 +
          square *
            (1 / 1260 +
              square * (-1 / 1680 + square * (1 / 1188 + square * (-691 / 360360 + square / 156)))))) /
    x
  );
}

/** Returns ln B(a, b) for a, b > 0, without the loss that ln Γ's differences have when an argument is large. */
export function logBeta(a: number, b: number): number {
  const p = Math.min(a, b);
  const q = Math.max(a, b);
  if (p >= 10) {
    const rest = stirlingRest(p) + stirlingRest(q) - stirlingRest(p + q);
    const share = p / (p + q);
    return -0.5 * Math.log(q) + HALF_LOG_2PI + rest + (p - 0.5) * Math.log(share) + q * Math.log1p(-share);
  }
  if (q >= 10) {
    const rest = stirlingRest(q) - stirlingRest(p + q);
    return logGamma(p) + rest + p - p * Math.log(p + q) + (q - 0.5) * Math.log1p(-p / (p + q));
  }
  return logGamma(p) + logGamma(q) - logGamma(p + q);
}

/**
 * Returns the regularised incomplete beta function I_x(a, b) in 0..1, relative error near 1e-14 for moderate a, b.
 * `complement` is 1 - x, to be given where it is known more exactly than by subtraction.
 * Continued fraction DLMF 8.17.22, evaluated by Lentz's method on the side where it converges fast.
 */
export function incompleteBeta(x: number, a: number, b: number, complement: number = 1 - x): number {
  if (!(a > 0 && b > 0)) throw new RangeError(`The beta distribution needs a, b > 0, got ${a} and ${b}.`);
  if (x <= 0) return 0;
  if (complement <= 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(complement, b, a, x);
  const logX = x > 0.5 ? Math.log1p(-complement) : Math.log(x);
  const logComplement = complement > 0.5 ? Math.log1p(-x) : Math.log(complement);
  const front = Math.exp(a * logX + b * logComplement - logBeta(a, b)) / a;
  return Math.min(1, front * betaFraction(x, a, b));
}

function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  if (Math.abs(d) < tiny) d = tiny;
  d = 1 / d;
  let value = d;
  for (let m = 1; m <= 10_000; m++) {
    let term = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + term * d;
    c = 1 + term / c;
    if (Math.abs(d) < tiny) d = tiny;
    if (Math.abs(c) < tiny) c = tiny;
    d = 1 / d;
    value *= d * c;
    term = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + term * d;
    c = 1 + term / c;
    if (Math.abs(d) < tiny) d = tiny;
    if (Math.abs(c) < tiny) c = tiny;
    d = 1 / d;
    const factor = d * c;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

/** Returns the x in 0..1 with I_x(a, b) = probability, by bisection to the last bit. */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (!(probability >= 0 && probability <= 1)) return NaN;
  if (probability === 0) return 0;
  if (probability === 1) return 1;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 1_100; i++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    if (incompleteBeta(middle, a, b) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
