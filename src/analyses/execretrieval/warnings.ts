import type { Verdict } from '../../domain/verdict.ts';
import type { ExecReport, ExecReportInput, ExecWarning } from './report-types.ts';

const MOST_EXAMPLES = 10;

/** Returns what a reader must know before trusting a report, counted; and the counts that the report prints. */
export function execWarnings(
  input: ExecReportInput,
  largestCutoff: number,
): {
  counts: Omit<ExecReport['counts'], 'queries' | 'unknownTriples'>;
  warnings: ExecWarning[];
} {
  const found = new Map<ExecWarning['code'], string[]>();
  const note = (code: ExecWarning['code'], example: string): void => {
    const list = found.get(code);
    if (list === undefined) found.set(code, [example]);
    else list.push(example);
  };
  let unsupported = 0;
  let platformSensitive = 0;
  for (const query of input.queries) {
    const verdicts = input.verdicts.get(query.id);
    for (const id of query.canonicalIds) noteCanonical(verdicts?.get(id), `${query.id} ${id}`, note);
    for (const id of query.distractorIds)
      if (verdicts?.get(id) === 'pass') note('distractor-passes', `${query.id} ${id}`);
    const ranked = input.run.get(query.id)?.documentIds ?? [];
    if (ranked.length === 0) note('no-ranking', query.id);
    else if (ranked.length < largestCutoff) note('short-ranking', `${query.id} (${ranked.length})`);
    for (const id of ranked.slice(0, largestCutoff)) {
      const verdict = verdicts?.get(id);
      if (verdict === undefined) note('missing-verdicts', `${query.id} ${id}`);
      else if (verdict === 'unsupported') unsupported++;
      else if (verdict === 'platform-sensitive') platformSensitive++;
    }
  }
  const known = new Set(input.queries.map(({ id }) => id));
  for (const queryId of input.run.keys()) if (!known.has(queryId)) note('unknown-queries', queryId);
  const count = (code: ExecWarning['code']): number => found.get(code)?.length ?? 0;
  return {
    counts: {
      withoutRanking: count('no-ranking'),
      missingVerdicts: count('missing-verdicts'),
      unsupported,
      platformSensitive,
    },
    warnings: [...found].map(([code, examples]) => ({
      code,
      message: sentence(code, examples.length, largestCutoff),
      count: examples.length,
      examples: examples.slice(0, MOST_EXAMPLES),
    })),
  };
}

function noteCanonical(
  verdict: Verdict | undefined,
  example: string,
  note: (code: ExecWarning['code'], example: string) => void,
): void {
  if (verdict === undefined || verdict === 'pass') return;
  if (verdict === 'unsupported' || verdict === 'platform-sensitive')
    note('canonical-unsupported', `${example} ${verdict}`);
  else note('canonical-fails', `${example} ${verdict}`);
}

function sentence(code: ExecWarning['code'], count: number, cutoff: number): string {
  const [queries, have] = count === 1 ? ['1 query', 'has'] : [`${count} queries`, 'have'];
  const snippets = count === 1 ? '1 canonical snippet' : `${count} canonical snippets`;
  switch (code) {
    case 'canonical-unsupported':
      return `${snippets} ${count === 1 ? 'needs' : 'need'} what this environment has not; exec@k cannot count them (see the upper value).`;
    case 'canonical-fails':
      return `${snippets} ${count === 1 ? 'fails its' : 'fail their'} own tests here: the benchmark or the environment is at fault.`;
    case 'distractor-passes':
      return `${count} distractors pass all tests of their query and count as right answers.`;
    case 'missing-verdicts':
      return `${count} of the snippets in the first ${cutoff} were never run and count as not passing.`;
    case 'no-ranking':
      return `${queries} ${have} no ranking and ${count === 1 ? 'counts' : 'count'} 0.`;
    case 'short-ranking':
      return `${queries} ${have} fewer than ${cutoff} ranked snippets; precision still divides by k.`;
    case 'unknown-queries':
      return `${queries} of the run ${count === 1 ? 'is' : 'are'} not in the benchmark and ignored.`;
  }
}
