import { bootstrapReplicates, tailFractions, type BootstrapOptions, type MeanInterval } from './bootstrap.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { quantileOfSorted } from './quantile.ts';
import { mean } from './summation.ts';

/**
 * Returns the mean with its bias-corrected and accelerated bootstrap interval, from the same resamples as
 * `bootstrapMean` and with scipy's formulas (ties of replicates with the mean count half; jackknife acceleration).
 * Values that do not vary give an interval of no width. Source: Efron 1987.
 */
export function bcaBootstrapMean(values: ArrayLike<number>, options: BootstrapOptions = {}): MeanInterval {
  const n = values.length;
  const centre = mean(values);
  if (n === 0) return { mean: NaN, low: NaN, high: NaN, n };
  const replicates = (bootstrapReplicates([values], options)[0] as Float64Array).sort();
  let below = 0;
  let equal = 0;
  for (const replicate of replicates) {
    if (replicate < centre) below++;
    else if (replicate === centre) equal++;
  }
  const bias = normalQuantile((below + equal / 2) / replicates.length);
  // The mean without value i is (sum - v_i) / (n - 1): its deviations are those of the values, scaled and negated.
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < n; i++) {
    const deviation = (values[i] as number) - centre;
    squares += deviation ** 2;
    cubes += deviation ** 3;
  }
  if (squares === 0 || !Number.isFinite(bias)) {
    const [lower, upper] = tailFractions(options.level ?? 0.95);
    return {
      mean: centre,
      low: quantileOfSorted(replicates, lower),
      high: quantileOfSorted(replicates, upper),
      n,
    };
  }
  const acceleration = cubes / (6 * squares ** 1.5);
  const fraction = (probability: number): number => {
    const z = bias + normalQuantile(probability);
    return normalCdf(bias + z / (1 - acceleration * z));
  };
  const [lower, upper] = tailFractions(options.level ?? 0.95);
  return {
    mean: centre,
    low: quantileOfSorted(replicates, fraction(lower)),
    high: quantileOfSorted(replicates, fraction(upper)),
    n,
  };
}
