import { AppError } from '../domain/app-error.ts';
import { nearNames } from '../domain/near-names.ts';
import type { BenchmarkDefinition } from './definition.ts';
import { coirBenchmarks } from './coir.ts';
import { coreBenchBenchmarks } from './core-bench.ts';
import { corebBenchmarks } from './coreb.ts';
import { execMini } from './exec-mini.ts';
import { execretrieval } from './execretrieval.ts';

/** All declared benchmarks, the bundled one first. A new one is one file and one line here. */
export const BENCHMARKS: readonly BenchmarkDefinition[] = [
  execMini,
  execretrieval,
  ...corebBenchmarks,
  ...coreBenchBenchmarks,
  ...coirBenchmarks,
];

/** The declared benchmark of this id, or undefined. */
export function findBenchmark(id: string): BenchmarkDefinition | undefined {
  return BENCHMARKS.find((benchmark) => benchmark.id === id);
}

/** The declared benchmark of this id. Errors: `unknown-benchmark` with the nearest names. */
export function benchmarkById(id: string): BenchmarkDefinition {
  const found = findBenchmark(id);
  if (found !== undefined) return found;
  const ids = BENCHMARKS.map((benchmark) => benchmark.id);
  const near = nearNames(id, ids);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Known: ${ids.join(', ')}.`;
  throw new AppError('input', 'unknown-benchmark', `There is no benchmark "${id}". ${hint}`);
}
