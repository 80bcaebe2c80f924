import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { register } from '../../cli/commands/score.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { ourName, readGolden, type GoldenLevels } from '../metrics/golden.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-score-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

interface ScoreOutput {
  readonly protocol: { readonly id: string; readonly digest: string; readonly changed: readonly string[] };
  readonly counts: Record<string, number>;
  readonly mean: Record<string, number | null>;
  readonly perQuery: Record<string, Record<string, number>>;
  readonly notes: readonly string[];
}

let files = 0;
function file(content: unknown): string {
  const path = join(folder, `${++files}.txt`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Runs the command and reads what it printed on stdout. */
async function score(...args: string[]): Promise<ScoreOutput> {
  const program = new Command().exitOverride();
  register(program);
  for (const command of program.commands)
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  let printed = '';
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    printed += String(piece);
    return true;
  });
  try {
    await program.parseAsync(['node', 'assay', 'score', ...args]);
  } finally {
    stdout.mockRestore();
  }
  return JSON.parse(printed) as ScoreOutput;
}

type Plain = Record<string, Record<string, number>>;
const DENOMINATORS = {
  evaluated: ['--set', 'queriesWithoutResults=excluded'],
  allJudged: [],
  withRelevant: ['--set', 'queriesWithoutRelevant=excluded'],
} as const;

async function checkLevels(
  golden: GoldenLevels,
  qrels: string,
  run: string,
  more: readonly string[] = [],
): Promise<void> {
  const metrics = golden.measures.map((measure) => ourName(measure, 1)).join(',');
  for (const [level, expected] of Object.entries(golden.levels))
    for (const [denominator, settings] of Object.entries(DENOMINATORS)) {
      const output = await score(
        '--qrels',
        qrels,
        '--run',
        run,
        '--metrics',
        metrics,
        '--relevance-level',
        level,
        ...settings,
        ...more,
      );
      const names = golden.measures.map((measure) => ourName(measure, Number(level)));
      const means = expected.means[denominator as keyof typeof DENOMINATORS];
      expect(output.counts['counted']).toBe(means.queries);
      names.forEach((name, m) => {
        const value = means.values[m];
        if (value === null) expect(output.mean[name]).toBeNull();
        else expect(output.mean[name], name).toBeCloseTo(value as number, 12);
      });
      const perQuery = Array.isArray(expected.perQuery)
        ? (expected.perQuery as { query: string; values: number[] }[]).map(
            (row) => [row.query, row.values] as const,
          )
        : Object.entries(expected.perQuery);
      for (const [query, values] of perQuery) {
        const ours = Object.entries(output.perQuery).find(([id]) => id === query)?.[1];
        names.forEach((name, m) =>
          expect(ours?.[name], `${query} ${name}`).toBeCloseTo(values[m] as number, 12),
        );
      }
    }
}

/** A run as TREC lines; an empty ranking cannot be written so. */
function trecLines(run: Plain): string {
  return Object.entries(run)
    .flatMap(([query, scores]) =>
      Object.entries(scores).map(([id, value], i) => `${query} Q0 ${id} ${i} ${value} t\n`),
    )
    .join('');
}

describe('assay score against the golden files', () => {
  it.each(['metrics-graded.json', 'metrics-binary.json', 'metrics-deep.json'])('%s', async (name) => {
    const golden = readGolden<GoldenLevels & { qrels: Plain; run: Plain }>(name);
    await checkLevels(golden, file(golden.qrels), file(golden.run));
    if (Object.values(golden.run).every((scores) => Object.keys(scores).length > 0))
      await checkLevels(golden, file(golden.qrels), file(trecLines(golden.run)));
  });

  it('metrics-hand.json', async () => {
    const { cases } = readGolden<{ cases: (GoldenLevels & { qrels: Plain; run: Plain })[] }>(
      'metrics-hand.json',
    );
    for (const golden of cases) {
      await checkLevels(golden, file(golden.qrels), file(golden.run));
      await checkLevels(golden, file(golden.qrels), file(trecLines(golden.run)));
    }
  });

  it('metrics-unicode.json', async () => {
    const golden = readGolden<
      GoldenLevels & {
        qrels: { query: string; judgments: [string, number][] }[];
        run: { query: string; scores: [string, number][] }[];
      }
    >('metrics-unicode.json');
    const nested = (rows: readonly (readonly [string, readonly (readonly [string, number])[]])[]): string =>
      `{${rows.map(([query, members]) => `${JSON.stringify(query)}:{${members.map(([id, n]) => `${JSON.stringify(id)}:${n}`).join(',')}}`).join(',')}}`;
    await checkLevels(
      golden,
      file(nested(golden.qrels.map((row) => [row.query, row.judgments]))),
      file(nested(golden.run.map((row) => [row.query, row.scores]))),
    );
  });

  it('metrics-f32-ties.json: float64 by default, float32 by setting', async () => {
    const golden = readGolden<
      GoldenLevels & { qrels: Plain; run: Plain; float64: { perQuery: Record<string, number[]> } }
    >('metrics-f32-ties.json');
    const [qrels, run] = [file(golden.qrels), file(golden.run)];
    await checkLevels(golden, qrels, run, ['--set', 'scorePrecision=float32']);
    const names = golden.measures.map((measure) => ourName(measure, 1));
    const output = await score('--qrels', qrels, '--run', run, '--metrics', names.join(','));
    for (const [query, values] of Object.entries(golden.float64.perQuery))
      names.forEach((name, m) => expect(output.perQuery[query]?.[name]).toBeCloseTo(values[m] as number, 12));
  });

  it('metrics-visibility.json', async () => {
    type Values = Record<string, [number | null, number | null]>;
    const golden = readGolden<{
      corpus: string[];
      visible: Record<string, string[]>;
      qrels: Plain;
      run: Record<string, number[]>;
      filterBeforeCut: { judgedInvisibleStay: Values; judgedInvisibleDropped: Values };
    }>('metrics-visibility.json');
    const run = Object.fromEntries(
      Object.entries(golden.run).map(([query, scores]) => [
        query,
        Object.fromEntries(golden.corpus.map((id, i) => [id, scores[i]])),
      ]),
    );
    const args = [
      '--qrels',
      file(golden.qrels),
      '--run',
      file(run),
      '--visible',
      file(golden.visible),
      '--metrics',
      'nDCG@10,R@100',
    ];
    for (const protocol of ['trec', 'core-bench'])
      for (const [setting, expected] of [
        ['dropped', golden.filterBeforeCut.judgedInvisibleDropped],
        ['kept', golden.filterBeforeCut.judgedInvisibleStay],
      ] as const) {
        const output = await score(...args, '--protocol', protocol, '--set', `invisibleJudged=${setting}`);
        for (const [query, [gain, recall]] of Object.entries(expected)) {
          if (gain === null || recall === null) expect(output.perQuery).not.toHaveProperty(query);
          else {
            expect(output.perQuery[query]?.['nDCG@10']).toBeCloseTo(gain, 12);
            expect(output.perQuery[query]?.['R@100']).toBeCloseTo(recall, 12);
          }
        }
      }
  });

  it('metrics-coreb.json', async () => {
    const golden = readGolden<{
      qrels: Plain;
      anchors: Record<string, string>;
      run: Record<string, [string, number][]>;
      measures: string[];
      'coreb-paper': { perQuery: Record<string, number[]>; means: { allJudged: { values: number[] } } };
      'coreb-mteb': { perQuery: Record<string, number[]>; means: { evaluated: { values: number[] } } };
    }>('metrics-coreb.json');
    const run = Object.fromEntries(
      Object.entries(golden.run).map(([query, pairs]) => [query, Object.fromEntries(pairs)]),
    );
    const args = ['--qrels', file(golden.qrels), '--run', file(run), '--exclude', file(golden.anchors)];
    for (const [protocol, level, { perQuery }, means] of [
      ['coreb-paper', 2, golden['coreb-paper'], golden['coreb-paper'].means.allJudged.values],
      ['coreb-mteb', 1, golden['coreb-mteb'], golden['coreb-mteb'].means.evaluated.values],
    ] as const) {
      const names = golden.measures.map((measure) => ourName(measure, level));
      const output = await score(
        ...args,
        '--protocol',
        protocol,
        '--metrics',
        golden.measures.map((measure) => ourName(measure, 1)).join(','),
      );
      names.forEach((name, m) => expect(output.mean[name]).toBeCloseTo(means[m] as number, 12));
      for (const [query, values] of Object.entries(perQuery))
        names.forEach((name, m) =>
          expect(output.perQuery[query]?.[name]).toBeCloseTo(values[m] as number, 12),
        );
      expect(output.notes.some((note) => note.startsWith('--exclude has no effect'))).toBe(
        protocol === 'coreb-mteb',
      );
    }
  });
});

describe('assay score', () => {
  const qrels = '# judgements\nq1 0 a 1\nq2 0 b 1\nq3 0 c 2\n';
  const run = 'q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\nq2 Q0 b 2 1 t\nq9 Q0 a 1 1 t\n';

  it('counts missing queries as 0 and says what it counted', async () => {
    const output = await score('--qrels', file(qrels), '--run', file(run), '--metrics', 'RR');
    expect(output.mean).toEqual({ RR: 0.5 });
    expect(output.perQuery).toEqual({ q1: { RR: 1 }, q2: { RR: 0.5 }, q3: { RR: 0 } });
    expect(output.counts).toMatchObject({
      judged: 3,
      evaluated: 2,
      withoutResults: 1,
      withoutRelevant: 0,
      ignored: 1,
    });
    expect(output.protocol.id).toBe('trec');
    expect(output.protocol.digest).toMatch(/^[0-9a-f]{64}$/u);
  });

  it('keeps an explicit level beside another default', async () => {
    const output = await score(
      '--qrels',
      file(qrels),
      '--run',
      file(run),
      '--relevance-level',
      '2',
      '--metrics',
      'P(rel=1)@1,P@1,nDCG@1',
    );
    expect(Object.keys(output.mean)).toEqual(['P@1', 'P(rel=2)@1', 'nDCG@1']);
    expect(output.counts['withoutRelevant']).toBe(2);
    expect(output.protocol.changed).toEqual(['relevanceLevel']);
  });

  it('writes JSON to a file and prints a table', async () => {
    const path = join(folder, 'out.json');
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const program = new Command();
    register(program);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await program.parseAsync([
      'node',
      'assay',
      'score',
      '--qrels',
      file(qrels),
      '--run',
      file(run),
      '--metrics',
      'RR',
      '--json',
      path,
    ]);
    expect((JSON.parse(readFileSync(path, 'utf8')) as ScoreOutput).mean).toEqual({ RR: 0.5 });
    expect(log.mock.calls.join('\n')).toMatch(/RR\s+0\.5000\n3 queries, protocol trec/u);
  });

  it('groups chunks by file when it is told their files', async () => {
    const files = file('a\tx.py\nb\tx.py\nc\ty.py\nx\ty.py\n');
    const output = await score(
      '--qrels',
      file(qrels),
      '--run',
      file(run),
      '--files',
      files,
      '--metrics',
      'FileR@1,FileAcc@2',
    );
    expect(output.perQuery['q2']).toEqual({ 'FileR@1': 0, 'FileAcc@2': 1 });
  });

  it('takes __proto__ for an id like any other, in every file', async () => {
    const args = [
      ...['--qrels', file('{"__proto__":{"b":1,"__proto__":0}}')],
      ...['--run', file('{"__proto__":{"a":3,"b":2,"__proto__":1}}')],
      ...['--metrics', 'RR,FileR@1'],
      ...['--files', file('{"a":"__proto__","b":"y.py","__proto__":"__proto__"}')],
    ];
    const rr = (output: ScoreOutput): number | null | undefined => output.mean['RR'];
    expect(rr(await score(...args))).toBe(0.5);
    expect(rr(await score(...args, '--exclude', file('{"__proto__":["a"]}')))).toBe(1);
    const seen = await score(...args, '--visible', file('{"__proto__":["b","__proto__"]}'));
    expect(seen.mean).toEqual({ RR: 1, 'FileR@1': 1 });
    expect(Object.entries(seen.perQuery).map(([query]) => query)).toEqual(['__proto__']);
  });

  it('says that a query without visible documents sees all', async () => {
    const visible = file({ q1: ['a'], q2: [] });
    const output = await score(
      '--qrels',
      file(qrels),
      '--run',
      file(run),
      '--metrics',
      'RR',
      '--visible',
      visible,
    );
    expect(output.notes[0]).toMatch(/2 of the judged queries have no list or an empty one: they see every/u);
    expect(output.mean['RR']).toBe(0.5);
  });

  it('refuses to write where there is no folder', async () => {
    const args = ['--qrels', file(qrels), '--run', file(run), '--json', join(folder, 'none', 'x.json')];
    await expect(score(...args)).rejects.toThrow(/Cannot write .*x\.json/u);
  });

  it.each([
    [['--run', 'no-such-file'], /There is no file no-such-file/u],
    [['--metrics', 'MAP@10'], /Near ones: AP/u],
    [['--protocol', 'coreb'], /coreb-paper/u],
    [['--set', 'nosuch=1'], /no setting "nosuch"/u],
    [['--metrics', 'FileR@1'], /the file of each document/u],
  ])('refuses %j', async (args, message) => {
    await expect(score('--qrels', file(qrels), '--run', file(run), ...args)).rejects.toThrow(message);
    await expect(score('--qrels', file(qrels), '--run', file(run), ...args)).rejects.toThrow(AppError);
  });

  it('refuses runs of another benchmark', async () => {
    await expect(score('--qrels', file('q.1 0 a 1\n'), '--run', file('q Q0 a 1 1 t\n'))).rejects.toThrow(
      /no query in common/u,
    );
  });
});
