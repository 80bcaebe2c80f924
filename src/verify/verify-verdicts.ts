import type { Suite } from '../contracts/judge.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { CheckedClaim } from '../share/claims.ts';
import type { ResultRecord } from '../share/record.ts';
import type { BenchmarkTexts } from './benchmark-texts.ts';
import { sampleIndices, samplingSentence } from './sampling.ts';
import type { VerifyServices } from './services.ts';

/**
 * Runs a sample of (query, snippet) pairs again, in the sandbox, and compares the verdicts with those that the record's
 * first ten and its list of failures claim. Whether it passes is what every metric rests on; another way to fail is named
 * beside it, since limits of time depend on the machine.
 */
export async function verifyVerdicts(
  services: Pick<VerifyServices, 'judge'>,
  record: ResultRecord,
  texts: BenchmarkTexts,
  { sample, seed }: { readonly sample: number; readonly seed: number },
): Promise<CheckedClaim> {
  const pairs = claimedVerdicts(record);
  const chosen = sampleIndices(pairs.length, sample, seed).map((i) => pairs[i] as (typeof pairs)[number]);
  const name = 'verdicts of code run again';
  const note = samplingSentence(pairs.length, chosen.length, seed, 'judged pairs');
  const suites: Suite[] = [];
  for (const [i, { queryId, documentId }] of chosen.entries()) {
    const code = texts.documents.get(documentId);
    const tests = texts.queries.get(queryId)?.tests;
    if (code === undefined || tests === undefined)
      return {
        level: 4,
        name,
        state: 'different',
        claimed: `query ${JSON.stringify(queryId)}, document ${JSON.stringify(documentId)}`,
        found: 'not in the files of the benchmark',
        note,
      };
    suites.push({ id: String(i), form: 'asserts', code, tests });
  }
  const results = await services.judge(suites);
  let otherFailures = 0;
  for (const [i, pair] of chosen.entries()) {
    const found = results[i]?.verdict;
    if (found === pair.verdict) continue;
    if (found !== undefined && (found === 'pass') === (pair.verdict === 'pass')) {
      otherFailures++;
      continue;
    }
    return {
      level: 4,
      name,
      state: 'different',
      claimed: pair.verdict,
      found: found ?? 'no result',
      note: `query ${JSON.stringify(pair.queryId)}, document ${JSON.stringify(pair.documentId)}; ${note}`,
    };
  }
  const all = `${chosen.length} verdicts`;
  const others = otherFailures === 0 ? '' : `${otherFailures} failed in another way; `;
  return { level: 4, name, state: 'equal', claimed: all, found: all, note: `${others}${note}` };
}

function claimedVerdicts({ report, failures }: ResultRecord): {
  readonly queryId: string;
  readonly documentId: string;
  readonly verdict: Verdict;
}[] {
  const pairs = new Map<string, { queryId: string; documentId: string; verdict: Verdict }>();
  for (const { queryId, strip } of report.perQuery)
    for (const { documentId, verdict } of strip)
      if (verdict !== null)
        pairs.set(JSON.stringify([queryId, documentId]), { queryId, documentId, verdict });
  for (const { queryId, documentId, verdict } of failures) {
    const key = JSON.stringify([queryId, documentId]);
    if (!pairs.has(key)) pairs.set(key, { queryId, documentId, verdict });
  }
  return [...pairs.values()];
}
