import type { Similarity } from '../contracts/search.ts';
import { canonicalJson } from '../domain/digest.ts';
import type { CheckedClaim } from '../share/claims.ts';
import type { ResultRecord } from '../share/record.ts';
import type { BenchmarkTexts } from './benchmark-texts.ts';
import { sampleIndices, samplingSentence } from './sampling.ts';
import type { EncodedAgain, NamedVectors, VerifyServices } from './services.ts';

/** Below this, float32 arithmetic in another order explains a difference of similarities. */
const FLOAT32_NOISE = 4e-6;

/**
 * Returns how far a similarity computed here may lie from a claimed one: what both devices measured on the probes, twice
 * over, or the record's own limit where a text's vector depends on its batch or a device was not measured.
 */
export function similarityTolerance(record: ResultRecord, probeError: number | null): number {
  const claimed = record.numerics.deviceError?.largestMarginChange;
  if (claimed === undefined || probeError === null || record.model.dependsOnBatch)
    return Math.max(record.numerics.limit, FLOAT32_NOISE);
  return Math.max(FLOAT32_NOISE, 2 * (claimed + probeError));
}

/**
 * Encodes the texts of a sample of (query, document) pairs again and compares each similarity with the score that the
 * record's first ten claim. A document that was left out of a list shows only when everything is searched again.
 */
export async function verifyEncoding(
  services: Pick<VerifyServices, 'encode'>,
  record: ResultRecord,
  texts: BenchmarkTexts,
  options: { readonly sample: number; readonly seed: number; readonly similarity: Similarity },
): Promise<CheckedClaim[]> {
  const pairs = record.report.perQuery.flatMap(({ queryId, strip }) =>
    strip.map(({ documentId, score }) => ({ queryId, documentId, score })),
  );
  const chosen = sampleIndices(pairs.length, options.sample, options.seed).map(
    (i) => pairs[i] as (typeof pairs)[number],
  );
  const name = 'similarities of texts encoded again';
  const strange = chosen.find(
    ({ queryId, documentId }) => !texts.queries.has(queryId) || !texts.documents.has(documentId),
  );
  if (strange !== undefined)
    return [
      {
        level: 3,
        name,
        state: 'different',
        claimed: `query ${JSON.stringify(strange.queryId)}, document ${JSON.stringify(strange.documentId)}`,
        found: 'not in the files of the benchmark',
      },
    ];
  const queryIds = [...new Set(chosen.map(({ queryId }) => queryId))];
  const documentIds = [...new Set(chosen.map(({ documentId }) => documentId))];
  const queries = await services.encode(
    queryIds.map((id) => ({ id, text: texts.queries.get(id)?.text ?? '' })),
    'query',
  );
  const documents = await services.encode(
    documentIds.map((id) => ({ id, text: texts.documents.get(id) ?? '' })),
    'document',
  );
  const tolerance = similarityTolerance(record, documents.probeError);
  const note = `${samplingSentence(pairs.length, chosen.length, options.seed, 'pairs of the first ten')}; within ${tolerance.toExponential(1)}`;
  const files = modelFilesClaim(record, documents);
  let largest = 0;
  for (const { queryId, documentId, score } of chosen) {
    const found = similarityOf(queries, queryId, documents, documentId, options.similarity);
    const change = Math.abs(found - score);
    if (!(change <= tolerance))
      return [
        files,
        {
          level: 3,
          name,
          state: 'different',
          claimed: String(score),
          found: String(found),
          note: `query ${JSON.stringify(queryId)}, document ${JSON.stringify(documentId)}; ${note}`,
        },
      ];
    largest = Math.max(largest, change);
  }
  const all = `${chosen.length} similarities`;
  return [
    files,
    {
      level: 3,
      name,
      state: 'equal',
      claimed: all,
      found: all,
      note: `largest change ${largest.toExponential(1)}; ${note}`,
    },
  ];
}

/** Whether the model files that were used here are those that the record names. */
export function modelFilesClaim(record: ResultRecord, { fileDigests }: EncodedAgain): CheckedClaim {
  const [claimed, found] = [canonicalJson(record.model.fileDigests), canonicalJson(fileDigests)];
  const same = claimed === found;
  const count = `${Object.keys(record.model.fileDigests).length} files`;
  return {
    level: 3,
    name: 'digests of the model files',
    state: same ? 'equal' : 'different',
    claimed: same ? count : claimed,
    found: same ? count : found,
    note: 'as loaded here',
  };
}

function similarityOf(
  queries: NamedVectors,
  queryId: string,
  documents: NamedVectors,
  documentId: string,
  similarity: Similarity,
): number {
  const [q, d] = [queries.ids.indexOf(queryId), documents.ids.indexOf(documentId)];
  const { dimensions } = documents;
  let [dot, queryNorm, documentNorm] = [0, 0, 0];
  for (let i = 0; i < dimensions; i++) {
    const a = queries.values[q * dimensions + i] as number;
    const b = documents.values[d * dimensions + i] as number;
    dot += a * b;
    queryNorm += a * a;
    documentNorm += b * b;
  }
  return similarity === 'dot' ? dot : dot / Math.sqrt(queryNorm * documentNorm);
}
