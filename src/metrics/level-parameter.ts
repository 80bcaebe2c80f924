import type { MetricParameter } from './metric.ts';

/** The parameter `rel`, shared by every metric that asks whether a document is relevant. */
export const LEVEL_PARAMETER: MetricParameter = {
  kind: 'level',
  name: 'rel',
  meaning: 'lowest grade that counts as relevant; 1 unless the evaluation sets another level',
};
