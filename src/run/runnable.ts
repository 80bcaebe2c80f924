import type { BenchmarkDefinition } from '../benchmarks/definition.ts';

/** Whether an evaluation can score this benchmark from end to end: so far those whose correctness is executed. */
export function isRunnable({ layout }: Pick<BenchmarkDefinition, 'layout'>): boolean {
  return layout === 'exec-retrieval';
}
