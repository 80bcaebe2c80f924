import type { Digest } from '../domain/digest.ts';
import type { Measure } from '../metrics/index.ts';
import type { Scoring } from './score-run.ts';

/**
 * Returns a scoring as JSON text, a piece for each query, full precision:
 * `{"protocol", "counts", "mean", "perQuery", "notes"}`. Query ids are written one by one, never through an object, so that
 * `__proto__` is a query like any other. `null` stands for a measure that is not defined; NaN and Infinity do not occur.
 */
export function* scoringJsonText(
  scoring: Scoring,
  digest: Digest,
  extraNotes: readonly string[] = [],
): Generator<string, void, undefined> {
  const { protocol, evaluation, mean, counted } = scoring;
  const { measures, queryIds, values, evaluated } = evaluation;
  const head = {
    protocol: { id: protocol.id, digest, changed: protocol.changed, settings: protocol.settings },
    counts: {
      ...evaluation.counts,
      counted: mean.queries,
      leftWithoutJudgements: scoring.leftWithoutJudgements.length,
    },
    mean: Object.fromEntries(measures.map((measure, m) => [measure.name, mean.values[m] ?? null])),
    notes: [...extraNotes, ...scoring.notes.map((note) => note.words)],
  };
  yield `${JSON.stringify(head).slice(0, -1)},"perQuery":{`;
  const columns = measures.flatMap((measure: Measure, m) => (measure.metric.scope === 'query' ? [m] : []));
  const names = measures.map((measure) => JSON.stringify(measure.name));
  let before = '\n';
  for (let q = 0; q < queryIds.length; q++) {
    // A query that the run lacks shows its zeros only where the protocol counts them.
    if (evaluated[q] === 0 && counted[q] === 0) continue;
    const members = columns.map((m) => `${names[m] as string}:${JSON.stringify(values[m]?.[q])}`);
    yield `${before}${JSON.stringify(queryIds[q])}:{${members.join(',')}}`;
    before = ',\n';
  }
  yield '}}\n';
}
