import type { Ranking } from '../domain/ranking.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { PartialMetric } from './run-state.ts';

const RANKS = 10;

/** exec@1 and exec@10 over the queries judged so far: what already means something while suites still run. */
export class PartialMetrics {
  readonly #rankings: readonly Ranking[];
  readonly #waiting = new Map<string, Set<string>>();
  readonly #passes = new Map<string, Set<string>>();
  #firstKnown = 0;
  #firstPasses = 0;
  #complete = 0;
  #anyPasses = 0;
  readonly #tops: ReadonlyMap<string, readonly string[]>;

  constructor(rankings: readonly Ranking[]) {
    this.#rankings = rankings;
    this.#tops = new Map(rankings.map(({ queryId, documentIds }) => [queryId, documentIds.slice(0, RANKS)]));
    for (const [queryId, top] of this.#tops) this.#waiting.set(queryId, new Set(top));
  }

  add(queryId: string, documentId: string, verdict: Verdict): void {
    const waiting = this.#waiting.get(queryId);
    // Pairs beyond the first ten are judged too, for the checks on the benchmark itself.
    if (waiting?.delete(documentId) !== true) return;
    const passed = verdict === 'pass';
    if (passed) {
      const passes = this.#passes.get(queryId) ?? new Set<string>();
      this.#passes.set(queryId, passes.add(documentId));
    }
    if (this.#tops.get(queryId)?.[0] === documentId) {
      this.#firstKnown++;
      if (passed) this.#firstPasses++;
    }
    if (waiting.size === 0) {
      this.#complete++;
      if (this.#passes.has(queryId)) this.#anyPasses++;
    }
  }

  metrics(): PartialMetric[] {
    const ofQueries = this.#rankings.length;
    const rows: [string, number, number][] = [
      ['exec@1', this.#firstPasses, this.#firstKnown],
      ['exec@10', this.#anyPasses, this.#complete],
    ];
    return rows
      .filter(([, , queries]) => queries > 0)
      .map(([name, passes, queries]) => ({ name, value: passes / queries, queries, ofQueries }));
  }
}
