import { abstentionNauc } from './abstention-nauc.ts';
import { averagePrecision } from './average-precision.ts';
import { bestCanonicalNdcg } from './best-canonical-ndcg.ts';
import { bpref } from './bpref.ts';
import { cappedRecall } from './capped-recall.ts';
import { execNdcgGap } from './exec-ndcg-gap.ts';
import { exec } from './exec.ts';
import { executionPrecision } from './execution-precision.ts';
import { expectedReciprocalRank } from './expected-reciprocal-rank.ts';
import { fileAccuracy } from './file-accuracy.ts';
import { fileNdcg } from './file-ndcg.ts';
import { fileRecall } from './file-recall.ts';
import { hole } from './hole.ts';
import { inferredAveragePrecision } from './inferred-average-precision.ts';
import { judged } from './judged.ts';
import type { Metric } from './metric.ts';
import { nDCG } from './ndcg.ts';
import { precision } from './precision.ts';
import { rPrecision } from './r-precision.ts';
import { rankBiasedPrecision } from './rank-biased-precision.ts';
import { recall } from './recall.ts';
import { reciprocalRank } from './reciprocal-rank.ts';
import { relevantCount } from './relevant-count.ts';
import { relevantRetrievedCount } from './relevant-retrieved-count.ts';
import { retrievedCount } from './retrieved-count.ts';
import { success } from './success.ts';

/** Every metric, in the order in which lists show them. A new metric is one file and one line here. */
export const METRICS: readonly Metric[] = [
  nDCG,
  averagePrecision,
  reciprocalRank,
  precision,
  recall,
  cappedRecall,
  success,
  rPrecision,
  bpref,
  inferredAveragePrecision,
  rankBiasedPrecision,
  expectedReciprocalRank,
  judged,
  hole,
  retrievedCount,
  relevantCount,
  relevantRetrievedCount,
  exec,
  executionPrecision,
  execNdcgGap,
  bestCanonicalNdcg,
  fileAccuracy,
  fileRecall,
  fileNdcg,
  abstentionNauc,
];
