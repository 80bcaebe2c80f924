import type { QueryMetric } from './metric.ts';

/**
 * The share of the first k that no query of the benchmark has judged.
 *
 * @formula hole@k = documents in the top k that occur in no query's judgements / k.
 * @edgeCases Divided by k also when the ranking is shorter. A document judged for another query is no hole: hole@k and
 *   judged@k do not add up to 1.
 * @source BEIR and MTEB `Hole@k`.
 */
export const hole: QueryMetric = {
  scope: 'query',
  name: 'hole',
  title: 'Hole',
  definition: 'Documents in the top k that no query has judged, divided by k.',
  cutoff: 'required',
  parameters: [],
  range: [0, 1],
  alsoCalled: ['Hole'],
  needs: ['judged-anywhere'],
  aggregate: 'mean',
  evaluate: ({ ranking, extras }, { cutoff }) => {
    const { documentIds } = ranking;
    const length = Math.min(cutoff, documentIds.length);
    let holes = 0;
    for (let i = 0; i < length; i++)
      if (extras.judgedAnywhere?.has(documentIds[i] as string) !== true) holes++;
    return holes / cutoff;
  },
};
