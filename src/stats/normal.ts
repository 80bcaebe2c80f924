/*
 * The normal distribution to full float64 precision in both tails.
 * Cody's rational approximations (Mathematics of Computation 23, 1969) and Wichura's AS 241 (Applied Statistics 37, 1988).
 */

const INVERSE_SQRT_2PI = 0.3989422804014327;

const CENTRE_TOP = [
  2.2352520354606839287, 161.02823106855587881, 1067.6894854603709582, 18154.981253343561249,
  0.065682337918207449113,
];
const CENTRE_BOTTOM = [
  47.20258190468824187, 976.09855173777669322, 10260.932208618978205, 45507.789335026729956,
];
const MIDDLE_TOP = [
  0.39894151208813466764, 8.8831497943883759412, 93.506656132177855979, 597.27027639480026226,
  2494.5375852903726711, 6848.1904505362823326, 11602.651437647350124, 9842.7148383839780218,
  1.0765576773720192317e-8,
];
const MIDDLE_BOTTOM = [
  22.266688044328115691, 235.38790178262499861, 1519.377599407554805, 6485.558298266760755,
  18615.571640885098091, 34900.952721145977266, 38912.003286093271411, 19685.429676859990727,
];
const TAIL_TOP = [
  0.21589853405795699, 0.1274011611602473639, 0.022235277870649807, 0.001421619193227893466,
  2.9112874951168792e-5, 0.02307344176494017303,
];
const TAIL_BOTTOM = [
  1.28426009614491121, 0.468238212480865118, 0.0659881378689285515, 0.00378239633202758244,
  7.29751555083966205e-5,
];

/** Returns P(Z > x) for a standard normal Z, relative error below 1e-13 (mostly 1e-15) down to the smallest float64. */
export function normalUpperTail(x: number): number {
  if (Number.isNaN(x)) return NaN;
  const y = Math.abs(x);
  if (y <= 0.67448975) return 0.5 - centre(x);
  const tail = y <= 5.656854249492381 ? middle(y) : y < 40 ? far(y) : 0;
  return x > 0 ? tail : 1 - tail;
}

/** Returns P(Z <= x) for a standard normal Z. */
export function normalCdf(x: number): number {
  return normalUpperTail(-x);
}

/** Returns P(X > x) for a chi-square variable with one degree of freedom. */
export function chiSquare1UpperTail(x: number): number {
  return x <= 0 ? 1 : 2 * normalUpperTail(Math.sqrt(x));
}

function centre(x: number): number {
  const square = x * x;
  let top = (CENTRE_TOP[4] as number) * square;
  let bottom = square;
  for (let i = 0; i < 3; i++) {
    top = (top + (CENTRE_TOP[i] as number)) * square;
    bottom = (bottom + (CENTRE_BOTTOM[i] as number)) * square;
  }
  return (x * (top + (CENTRE_TOP[3] as number))) / (bottom + (CENTRE_BOTTOM[3] as number));
}

function middle(y: number): number {
  let top = (MIDDLE_TOP[8] as number) * y;
  let bottom = y;
  for (let i = 0; i < 7; i++) {
    top = (top + (MIDDLE_TOP[i] as number)) * y;
    bottom = (bottom + (MIDDLE_BOTTOM[i] as number)) * y;
  }
  return bell(y, (top + (MIDDLE_TOP[7] as number)) / (bottom + (MIDDLE_BOTTOM[7] as number)));
}

function far(y: number): number {
  const square = 1 / (y * y);
  let top = (TAIL_TOP[5] as number) * square;
  let bottom = square;
  for (let i = 0; i < 4; i++) {
    top = (top + (TAIL_TOP[i] as number)) * square;
    bottom = (bottom + (TAIL_BOTTOM[i] as number)) * square;
  }
  const ratio = (square * (top + (TAIL_TOP[4] as number))) / (bottom + (TAIL_BOTTOM[4] as number));
  return bell(y, (INVERSE_SQRT_2PI - ratio) / y);
}

/** factor * exp(-y^2 / 2), the square split so that its rounding does not reach the result. */
function bell(y: number, factor: number): number {
  const coarse = Math.trunc(y * 16) / 16;
  const rest = (y - coarse) * (y + coarse);
  return Math.exp(-coarse * coarse * 0.5) * (Math.exp(-rest * 0.5) * factor);
}

const NEAR_TOP = [
  3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
  45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
];
const NEAR_BOTTOM = [
  1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
  39307.89580009271061, 28729.085735721942674, 5226.495278852545925,
];
const OUTER_TOP = [
  1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
  1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4,
];
const OUTER_BOTTOM = [
  1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
  0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
];
const EXTREME_TOP = [
  6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
  0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
];
const EXTREME_BOTTOM = [
  1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
  1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
];

/** Returns the x with P(Z <= x) = probability; -Infinity at 0, Infinity at 1, NaN outside 0..1. */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) return NaN;
  const q = probability - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(NEAR_TOP, r)) / polynomial(NEAR_BOTTOM, r);
  }
  const tail = q < 0 ? probability : 1 - probability;
  if (tail === 0) return q < 0 ? -Infinity : Infinity;
  const r = Math.sqrt(-Math.log(tail));
  const x =
    r <= 5
      ? polynomial(OUTER_TOP, r - 1.6) / polynomial(OUTER_BOTTOM, r - 1.6)
      : polynomial(EXTREME_TOP, r - 5) / polynomial(EXTREME_BOTTOM, r - 5);
  return q < 0 ? -x : x;
}

function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + (coefficients[i] as number);
  return value;
}
