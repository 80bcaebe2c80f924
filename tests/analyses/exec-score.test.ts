import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { register } from '../../cli/commands/exec-score.ts';
import type { ExecReport } from '../../src/analyses/execretrieval/report-types.ts';
import { execGolden, goldenSystems, verdictOf } from './exec-golden.ts';

type Printed = ExecReport & { mean: Record<string, number>; ci95: Record<string, [number, number]> };

let folder = '';
const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const path = (name: string): string => join(folder, name);

/** Runs the command with the golden table's files, changed as asked, and returns its report. */
async function execScore(run: string, ...more: string[]): Promise<Printed> {
  const program = new Command().exitOverride();
  register(program);
  await program.parseAsync([
    ...['node', 'assay', 'exec-score', '--corpus', path('corpus.jsonl'), '--queries', path('queries.jsonl')],
    ...['--run', path(run), '--verdicts', path('verdicts.jsonl'), '--json', path('report.json'), ...more],
  ]);
  return JSON.parse(readFileSync(path('report.json'), 'utf8')) as Printed;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-score-'));
  writeFileSync(
    path('corpus.jsonl'),
    lines(Object.entries(execGolden.corpus).map(([corpus_id, row]) => ({ corpus_id, ...row }))),
  );
  writeFileSync(path('queries.jsonl'), lines(execGolden.queries));
  writeFileSync(
    path('verdicts.jsonl'),
    lines(
      Object.entries(execGolden.outcomes).flatMap(([query_id, row]) =>
        Object.entries(row).map(([corpus_id, outcomes]) => ({
          query_id,
          corpus_id,
          verdict: verdictOf(outcomes),
        })),
      ),
    ),
  );
  for (const system of goldenSystems) {
    const rankings = Object.entries(execGolden.rankings[system] ?? {});
    const trec = rankings.flatMap(([queryId, ids]) =>
      ids.map((id, i) => `${queryId} Q0 ${id} ${i + 1} ${100 - i} ${system}`),
    );
    writeFileSync(path(`${system}.trec`), `${trec.join('\n')}\n`);
    const json = rankings.map(([queryId, ids]) => [
      queryId,
      Object.fromEntries(ids.map((id, i) => [id, 100 - i])),
    ]);
    writeFileSync(path(`${system}.json`), JSON.stringify(Object.fromEntries(json)));
    writeFileSync(
      path(`${system}.similarities.jsonl`),
      lines(
        Object.entries(execGolden.similarities[system] ?? {}).flatMap(([query_id, row]) =>
          Object.entries(row).map(([corpus_id, similarity]) => ({ query_id, corpus_id, similarity })),
        ),
      ),
    );
  }
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('assay exec-score', () => {
  for (const system of goldenSystems) {
    it(`reproduces the golden table of ${system} from files`, async () => {
      const report = await execScore(
        `${system}.trec`,
        '--similarities',
        path(`${system}.similarities.jsonl`),
      );
      const golden = execGolden.values[system];
      expect(report.mean['exec@1']).toBe(report.cells[0]?.value);
      expect(report.ci95['nDCG@10']).toHaveLength(2);
      report.cells.forEach((cell, c) => {
        const name = (report.columns[c] as string).replace('nDCG', 'ndcg');
        expect(cell.value).toBeCloseTo(golden?.mean[name] as number, 12);
        expect(cell.low).toBeCloseTo(golden?.ci95[name]?.[0] as number, 12);
        expect(cell.high).toBeCloseTo(golden?.ci95[name]?.[1] as number, 12);
      });
      expect(report.nearCloneMisses).toMatchObject({
        count: golden?.nearCloneMisses.nearClones,
        n: golden?.nearCloneMisses.misses,
      });
      expect(report.deception).toMatchObject({
        triples: execGolden.deception[system]?.all.triples,
        deceived: execGolden.deception[system]?.all.deceived,
        tied: execGolden.deception[system]?.all.tied,
      });
      expect(report.domains.map(({ domain }) => domain)).toEqual(Object.keys(golden?.byDomain ?? {}).sort());
      // JSON runs drop gamma's empty ranking no more than TREC's: it counts 0 either way.
      const fromJson = await execScore(
        `${system}.json`,
        '--similarities',
        path(`${system}.similarities.jsonl`),
      );
      expect(fromJson.cells).toEqual(report.cells);
    });
  }

  it('prints tables, and takes cutoffs, resamples and a seed', async () => {
    const report = await execScore('alpha.trec', '--cutoffs', '2,1', '--resamples', '50', '--seed', '7');
    expect(report).toMatchObject({ cutoffs: [1, 2], resamples: 50, seed: 7 });
    const printed = vi.mocked(console.log).mock.lastCall?.[0] as string;
    expect(printed).toContain('exec@k');
    expect(printed).toContain('Rank-1 misses that are near-clones: 40 of 41');
    expect(printed).toContain('70 queries; 95 % intervals from 50 resamples, seed 7');
  });

  it('refuses bad files with file, line and value', async () => {
    const broken = async (name: string, text: string): Promise<unknown> => {
      const before = readFileSync(path(name), 'utf8');
      writeFileSync(path(name), text);
      try {
        return await execScore('alpha.trec').catch((thrown: unknown) => thrown);
      } finally {
        writeFileSync(path(name), before);
      }
    };
    const message = async (name: string, text: string): Promise<string> =>
      ((await broken(name, text)) as Error).message;
    expect(
      await message('verdicts.jsonl', '{"query_id":"q_0001","corpus_id":"c_0001","verdict":"PASS"}\n'),
    ).toMatch(/verdicts\.jsonl, line 1: "verdict" must be one of pass, wrong, .*"PASS"/);
    const twice = ['pass', 'wrong'].map((verdict) => ({ query_id: 'q', corpus_id: 'c', verdict }));
    expect(await message('verdicts.jsonl', lines(twice))).toMatch(/line 2: .*"wrong" here and "pass" before/);
    expect(await message('corpus.jsonl', '{"corpus_id":"c"}\n{"corpus_id":"c"}\n')).toMatch(
      /line 2: .*"c" occurs twice/,
    );
    expect(await message('corpus.jsonl', '{"corpus_id":"c"}\n')).toMatch(
      /queries\.jsonl, line 1: query "q_0001" names the corpus id "c_0001", which the corpus has not/,
    );
    expect(await message('alpha.trec', 'q_9 Q0 c_0001 1 1 t\n')).toMatch(
      /no query in common: the run has "q_9", the benchmark "q_0001"/,
    );
    expect(await message('alpha.trec', 'q_0001 Q0 c_0001 1 nan t\n')).toMatch(/alpha\.trec, line 1: .*"nan"/);
    expect(await message('queries.jsonl', 'nonsense\n')).toMatch(/queries\.jsonl, line 1: not JSON/);
  });
});
