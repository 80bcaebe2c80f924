import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { readRun } from '../../src/codecs/run-reader.ts';
import { rank } from '../../src/domain/ranking.ts';
import { comparedResults } from '../../src/share/compared-result.ts';
import { bibtexEntry } from '../../src/share/exports/bibtex.ts';
import { croissantJson, datasetCard, type BenchmarkDescription } from '../../src/share/exports/croissant.ts';
import { evalResultsYaml } from '../../src/share/exports/eval-results.ts';
import { mtebResultJson } from '../../src/share/exports/mteb-result.ts';
import { resultPageHtml } from '../../src/share/exports/result-page.ts';
import { csvText, latexTable, latexText, resultsTable } from '../../src/share/exports/tables.ts';
import { trecQrelsText, trecRunText } from '../../src/share/exports/trec.ts';
import { readExecResults } from '../../src/share/imports/exec-results.ts';
import { readMtebResult } from '../../src/share/imports/mteb-result.ts';
import { printLink } from '../../src/share/link.ts';
import { receiptOf } from '../../src/share/receipt.ts';
import { resultFixture } from './result-fixture.ts';

/** A Python that has mteb, or undefined: `ASSAY_PYTHON` or python3. */
function pythonWithMteb(): string | undefined {
  const python = process.env['ASSAY_PYTHON'] ?? 'python3';
  try {
    execFileSync(
      python,
      ['-c', 'import importlib.util, sys; sys.exit(importlib.util.find_spec("mteb") is None)'],
      { stdio: 'ignore' },
    );
    return python;
  } catch {
    return undefined;
  }
}

describe('TREC', () => {
  const ids = ['a', 'b', 'c'];
  // 1 and 1 + 2^-40 are one number in float32.
  const run = new Map([['q', rank('q', ids, [1, 1 + 2 ** -40, 0.5])]]);

  it('runs keep every score, or only the order for tools that cast to float32', async () => {
    const exact = trecRunText(run, 'tag', 'exact');
    const source = (text: string) => ({
      name: 'run',
      stream: () => [new TextEncoder().encode(text)] as unknown as AsyncIterable<Uint8Array>,
    });
    expect((await readRun(source(exact))).run.get('q')).toEqual(run.get('q'));
    const ranks = trecRunText(run, 'tag', 'from-ranks');
    const scores = ranks
      .trim()
      .split('\n')
      .map((line) => Math.fround(Number(line.split(' ')[4])));
    expect(scores).toEqual([3, 2, 1]);
    expect(ranks.split('\n').map((line) => line.split(' ')[2])).toEqual(['b', 'a', 'c', undefined]);
    expect(() => trecRunText(run, 'two words', 'exact')).toThrow(/tag/);
  });

  it('qrels hold whole grades and ids without blanks', () => {
    expect(
      trecQrelsText(
        new Map([
          [
            'q',
            new Map([
              ['a', 2],
              ['b', 0],
            ]),
          ],
        ]),
      ),
    ).toBe('q 0 a 2\nq 0 b 0\n');
    expect(() => trecQrelsText(new Map([['q', new Map([['a', 0.5]])]]))).toThrow(/0\.5/);
    expect(() => trecQrelsText(new Map([['q q', new Map([['a', 1]])]]))).toThrow(/blanks/);
  });
});

describe('MTEB results', () => {
  it('come back with the values and the names of Assay', async () => {
    const { record } = await resultFixture(1);
    const [scores] = readMtebResult(mtebResultJson(record), 'fixture.json');
    expect(scores?.mainScore).toBe(record.report.cells[0]?.value);
    for (const name of record.report.columns.filter((one) => !one.startsWith('exec_ndcg_gap')))
      expect(scores?.metrics.get(name)).toBe(record.report.cells[record.report.columns.indexOf(name)]?.value);
    expect(() =>
      readMtebResult('{"task_name": "x", "scores": {"test": [{"main_score": "0.9"}]}}', 'bad.json'),
    ).toThrow(/bad\.json.*main_score/);
    expect(() => readMtebResult('nonsense', 'bad.json')).toThrow(/not JSON/);
  });

  const python = pythonWithMteb();
  it.skipIf(python === undefined)(
    'are read by mteb itself (skipped where no Python has mteb)',
    async () => {
      const { record } = await resultFixture(2);
      const folder = mkdtempSync(path.join(tmpdir(), 'assay-mteb-'));
      try {
        const file = path.join(folder, 'fixture.json');
        writeFileSync(file, mtebResultJson(record));
        const program =
          'import sys\nfrom pathlib import Path\ntry:\n    from mteb.results import TaskResult\nexcept ImportError:\n    from mteb import TaskResult\nr = TaskResult.from_disk(Path(sys.argv[1]))\nprint(repr(float(r.scores["test"][0]["ndcg_at_10"])), repr(float(r.scores["test"][0]["main_score"])))';
        const out = execFileSync(python as string, ['-c', program, file], {
          encoding: 'utf8',
          timeout: 120_000,
        });
        const [ndcg, main] = (out.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
        expect(ndcg).toBe(record.report.cells[record.report.columns.indexOf('nDCG@10')]?.value);
        expect(main).toBe(record.report.cells[0]?.value);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    150_000,
  );
});

describe('tables', () => {
  it('hold every digit, intervals and tie groups, best system first', async () => {
    const records = await Promise.all([1, 2, 3].map(async (seed) => (await resultFixture(seed)).record));
    const table = resultsTable(comparedResults(records.map((record) => ({ record }))), ['exec@1', 'nDCG@10']);
    expect(table.rows.map(({ cells }) => cells[0]?.value)).toEqual(
      records.map(({ report }) => report.cells[0]?.value ?? 0).sort((a, b) => b - a),
    );
    expect(table.rows[0]?.cells[0]?.letters).toContain('a');
    const lines = csvText(table).split('\r\n');
    expect(lines[0]).toBe('system,metric,value,low,high,tie_group');
    expect(lines).toHaveLength(1 + 6 + 1);
    expect(latexTable(table, 'All & more_')).toContain('\\caption{All \\& more\\_');
    expect(latexText('a_b%{}\\')).toBe('a\\_b\\%\\{\\}\\textbackslash{}');
  });

  it('defuse names that a spreadsheet would run', async () => {
    const { record } = await resultFixture(1);
    const results = comparedResults([{ record }]).map((one) => ({ ...one, name: '=HYPERLINK("x"),y' }));
    expect(csvText(resultsTable(results, ['exec@1']))).toContain(`"'=HYPERLINK(""x""),y",exec@1,`);
  });
});

describe('texts for people and other tools', () => {
  it('YAML of evaluation results parses back to the values', async () => {
    const { record } = await resultFixture(1);
    const entries = load(evalResultsYaml(record, 'owner/name', 'https://assay.example/#/result?r=A')) as {
      dataset: { id: string; task_id: string };
      value: number;
    }[];
    expect(entries).toHaveLength(16);
    expect(entries[0]).toMatchObject({
      dataset: { id: 'owner/name', task_id: 'exec@1' },
      value: record.report.cells[0]?.value,
    });
  });

  it('a citation names the record and keeps the link whole', async () => {
    const { record } = await resultFixture(1);
    const link = await printLink(await receiptOf(record), 'https://assay.example/');
    const entry = bibtexEntry(record, link);
    expect(entry).toContain(`\\url{${link}}`);
    expect(entry).toContain(record.id);
  });

  it('the page runs nothing and shows names as text', async () => {
    const { record } = await resultFixture(1);
    const hostile = {
      ...record,
      benchmark: { ...record.benchmark, name: '<img src=x onerror=alert(1)>' },
      model: { ...record.model, id: '"><script>alert(1)</script>' },
    };
    const page = resultPageHtml(hostile, 'javascript:alert(1)');
    expect(page).not.toMatch(/<script|<img|javascript:/i);
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('<svg role="img"');
    const markup = page.replace(/&[a-z#0-9]+;/gi, '').match(/<[^>]*>/g) ?? [];
    expect(markup.filter((tag) => / on\w+=| src=|url\(/i.test(tag))).toEqual([]);
    expect(page).toContain(`${(record.report.cells[0]?.value ?? 0).toFixed(3)} [`);
  });

  it('a built benchmark is described as Croissant and as a card', () => {
    const benchmark: BenchmarkDescription = {
      name: 'Mine',
      description: 'Two\nlines',
      licence: 'Apache-2.0',
      citation: 'Me, 2026',
      datePublished: '2026-11-30',
      version: '1.0.0',
      url: 'https://example.org/mine',
      languages: ['python'],
      counts: { documents: 5, queries: 1, judgements: 1 },
      files: [{ path: 'data/corpus.jsonl', bytes: 12, sha256: 'a'.repeat(64) }],
    };
    const croissant = JSON.parse(
      croissantJson(benchmark, { 'data/corpus.jsonl': ['corpus_id', 'code'] }),
    ) as Record<string, unknown>;
    expect(croissant).toMatchObject({
      '@type': 'sc:Dataset',
      conformsTo: 'http://mlcommons.org/croissant/1.0',
      distribution: [
        {
          '@id': 'data/corpus.jsonl',
          contentUrl: 'https://example.org/mine/data/corpus.jsonl',
          sha256: 'a'.repeat(64),
          encodingFormat: 'application/jsonlines',
        },
      ],
      recordSet: [{ '@id': 'corpus', field: [{ '@id': 'corpus/corpus_id' }, { '@id': 'corpus/code' }] }],
    });
    const [, front] = datasetCard(benchmark).split('---\n');
    expect(load(front ?? '')).toMatchObject({
      license: 'Apache-2.0',
      pretty_name: 'Mine',
      tags: ['code', 'python'],
    });
  });
});

describe("ExecRetrieval's results files", () => {
  const file = JSON.stringify({
    model: 'gemini',
    n_queries: 2,
    n_corpus: 10,
    ks: [1, 3],
    metrics: {
      'exec@k': { 1: 0.5, 3: 1 },
      'precision@k': { 1: 0.5 },
      'ndcg@k': { 1: 0.25, 3: 0.8 },
      'exec_ndcg_gap@k': { 1: 0 },
    },
    per_query: [
      {
        query_id: 'q1',
        query: 'x',
        correct_corpus_ids: ['c1'],
        top_results: [
          {
            rank: 2,
            corpus_id: 'c2',
            label: 'incorrect',
            bug_type: 'off_by_one',
            similarity: 0.8,
            passes_all_tests: false,
            test_results: [],
          },
          {
            rank: 1,
            corpus_id: 'c1',
            label: 'correct',
            bug_type: null,
            similarity: 0.9,
            passes_all_tests: true,
            test_results: [],
          },
        ],
      },
      {
        query_id: 'q2',
        query: 'y',
        correct_corpus_ids: ['c3'],
        top_results: [
          {
            rank: 1,
            corpus_id: 'c4',
            label: 'incorrect',
            bug_type: 'wrong_operator',
            similarity: 0.9,
            passes_all_tests: false,
            test_results: [],
          },
          {
            rank: 2,
            corpus_id: 'c3',
            label: 'correct',
            similarity: 0.7,
            passes_all_tests: true,
            test_results: [],
          },
        ],
      },
    ],
  });

  it('are computed again from their own outcomes, and a wrong metric shows', () => {
    const { system, report, checks } = readExecResults(file, 'gemini.json', new Map([['q2', ['c4']]]), {
      resamples: 100,
    });
    expect(system).toBe('gemini');
    expect(report.nearCloneMisses).toMatchObject({ count: 1, n: 1 });
    expect(checks.find(({ name }) => name === 'exec@1')).toEqual({
      name: 'exec@1',
      claimed: 0.5,
      recomputed: 0.5,
    });
    expect(checks.find(({ name }) => name === 'nDCG@1')).toEqual({
      name: 'nDCG@1',
      claimed: 0.25,
      recomputed: 0.5,
    });
    expect(checks.find(({ name }) => name === 'nDCG@3')?.recomputed).toBeCloseTo(
      (1 + 1 / Math.log2(3)) / 2,
      12,
    );
  });

  it('are refused with the member that is wrong', () => {
    expect(() => readExecResults('{"model": "x"}', 'x.json')).toThrow(/x\.json.*per_query/);
    expect(() => readExecResults(file.replace('"rank":2', '"rank":0'), 'x.json')).toThrow(
      /top_results\.0\.rank/,
    );
  });
});
