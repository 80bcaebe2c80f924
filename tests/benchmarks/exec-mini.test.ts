import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

/**
 * The built files of exec-mini against their sources, without the code that builds them: this file reads the sources
 * anew and applies each edit itself. Execution is not repeated here; the stored outcomes are held to what they must say.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const bugTypes = [
  'off_by_one',
  'off_by_one_boundary',
  'swap_arguments',
  'remove_edge_case_check',
  'wrong_comparison',
  'wrong_operator',
] as const;

const sourceFolder = join(root, 'benchmark-sources/exec-mini');
const text = (path: string): string => readFileSync(path, 'utf8');
const rows = <T>(path: string, schema: v.GenericSchema<unknown, T>): T[] =>
  text(path)
    .trimEnd()
    .split('\n')
    .map((line) => v.parse(schema, JSON.parse(line)));
const built = <T>(name: string, schema: v.GenericSchema<unknown, T>): T[] =>
  rows(join(root, `public/benchmarks/exec-mini/data/${name}.jsonl`), schema);
const sha256 = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex');

const id = (letter: string) => v.pipe(v.string(), v.regex(new RegExp(`^${letter}_\\d{4}$`)));
const place = v.pipe(v.number(), v.integer(), v.minValue(0));

const registry = rows(
  join(sourceFolder, 'registry.jsonl'),
  v.strictObject({ entry_id: v.string(), name: v.string(), query: v.string(), domain: v.string() }),
);
const corpus = built(
  'corpus',
  v.variant('label', [
    v.strictObject({
      corpus_id: id('c'),
      code: v.string(),
      label: v.literal('correct'),
      source_entry_id: v.string(),
    }),
    v.strictObject({
      corpus_id: id('c'),
      code: v.string(),
      label: v.literal('incorrect'),
      bug_type: v.picklist(bugTypes),
      source_entry_id: v.string(),
    }),
  ]),
);
const queries = built(
  'queries',
  v.strictObject({
    query_id: id('q'),
    query: v.string(),
    test_suite: v.array(v.string()),
    correct_corpus_ids: v.array(id('c')),
    paired_distractor_corpus_ids: v.array(id('c')),
    entry_id: v.string(),
    metadata: v.strictObject({ domain: v.string(), name: v.string() }),
  }),
);
const metadata = built(
  'distractor_metadata',
  v.strictObject({
    corpus_id: id('c'),
    canonical_corpus_id: id('c'),
    query_id: id('q'),
    entry_id: v.string(),
    bug_type: v.picklist(bugTypes),
    start_code_point: place,
    end_code_point: place,
    start_byte: place,
    end_byte: place,
    before: v.string(),
    after: v.string(),
    span_code_points: v.pipe(v.number(), v.integer(), v.minValue(1)),
  }),
);
const cache = built(
  'execution_cache',
  v.strictObject({
    code_sha256: v.string(),
    tests_sha256: v.string(),
    corpus_id: id('c'),
    query_id: id('q'),
    outcomes: v.array(v.string()),
  }),
);

const codeOf = new Map(corpus.map((row) => [row.corpus_id, row.code]));
const code = (corpusId: string): string => {
  const found = codeOf.get(corpusId);
  if (found === undefined) throw new Error(`no snippet ${corpusId}`);
  return found;
};
const editsOf = (entryId: string) =>
  v.parse(
    v.array(
      v.object({
        bug_type: v.picklist(bugTypes),
        find: v.string(),
        replace: v.string(),
        occurrence: v.optional(v.number(), 1),
      }),
    ),
    JSON.parse(text(join(sourceFolder, entryId, 'distractors.json'))),
  );

describe('exec-mini', () => {
  it('holds at least 150 tasks, evenly over the ten domains, with four distractors each', () => {
    expect(registry.length).toBeGreaterThanOrEqual(150);
    const perDomain = [...new Set(registry.map((row) => row.domain))].map(
      (domain) => registry.filter((row) => row.domain === domain).length,
    );
    expect(perDomain).toHaveLength(10);
    expect(new Set(perDomain).size).toBe(1);
    for (const query of queries) expect(query.paired_distractor_corpus_ids, query.query_id).toHaveLength(4);
    expect(corpus).toHaveLength(queries.length + metadata.length);
  });

  it('says in its queries and canonicals what the sources say', () => {
    expect(queries.map((row) => ({ entry_id: row.entry_id, query: row.query, ...row.metadata }))).toEqual(
      registry,
    );
    for (const query of queries) {
      const folder = join(sourceFolder, query.entry_id);
      expect(query.correct_corpus_ids.map(code)).toEqual([text(join(folder, 'canonical.py'))]);
      expect(query.test_suite.join('\n') + '\n').toBe(text(join(folder, 'tests.py')));
      expect(query.test_suite.length).toBeGreaterThanOrEqual(7);
      expect(query.test_suite.length).toBeLessThanOrEqual(10);
      for (const test of query.test_suite) expect(test).toMatch(/^assert \S/);
    }
  });

  it('makes each distractor from its canonical by the one edit that the sources declare', () => {
    const byCorpusId = new Map(metadata.map((row) => [row.corpus_id, row]));
    for (const query of queries) {
      const canonical = text(join(sourceFolder, query.entry_id, 'canonical.py'));
      const edits = editsOf(query.entry_id);
      expect(query.paired_distractor_corpus_ids).toHaveLength(edits.length);
      query.paired_distractor_corpus_ids.forEach((corpusId, index) => {
        const edit = edits[index];
        const row = byCorpusId.get(corpusId);
        if (edit === undefined || row === undefined) throw new Error(`no edit for ${corpusId}`);
        expect(row).toMatchObject({ before: edit.find, after: edit.replace, bug_type: edit.bug_type });
        expect(row).toMatchObject({ query_id: query.query_id, entry_id: query.entry_id });
        const points = [...canonical];
        expect(points.slice(row.start_code_point, row.end_code_point).join('')).toBe(edit.find);
        expect(points.slice(0, row.start_code_point).join('').split(edit.find)).toHaveLength(edit.occurrence);
        const bytes = Buffer.from(canonical);
        const edited = Buffer.concat([
          bytes.subarray(0, row.start_byte),
          Buffer.from(edit.replace),
          bytes.subarray(row.end_byte),
        ]);
        expect(code(corpusId)).toBe(edited.toString());
      });
    }
  });

  it('counts edited spans as the paper does', () => {
    for (const row of metadata) {
      const a = [...code(row.canonical_corpus_id)];
      const b = [...code(row.corpus_id)];
      // Shortest middle that is left when the ends agree: found from the front, then from the back of the rest.
      const front = a.findIndex((point, i) => point !== b[i]);
      const from = front < 0 ? a.length : front;
      const tailA = a.slice(from).reverse();
      const tailB = b.slice(from).reverse();
      const back = tailA.findIndex((point, i) => point !== tailB[i]);
      const same = back < 0 ? tailA.length : back;
      expect(row.span_code_points).toBe(Math.max(tailA.length, tailB.length) - same);
    }
  });

  it('labels every snippet, names no snippet twice and repeats no code', () => {
    expect(corpus.map((row) => row.corpus_id)).toEqual(
      corpus.map((_, index) => `c_${String(index + 1).padStart(4, '0')}`),
    );
    const canonicals = new Set(queries.flatMap((query) => query.correct_corpus_ids));
    const bugTypeOf = new Map(metadata.map((row) => [row.corpus_id, row.bug_type]));
    for (const row of corpus) {
      expect(row.label).toBe(canonicals.has(row.corpus_id) ? 'correct' : 'incorrect');
      if (row.label === 'incorrect') expect(row.bug_type).toBe(bugTypeOf.get(row.corpus_id));
    }
    const squeezed = corpus.map((row) => row.code.replace(/#.*$/gm, '').replace(/[^\S\n]*\n\s*/g, '\n'));
    expect(new Set(squeezed).size).toBe(corpus.length);
    expect(new Set(registry.map((row) => row.name)).size).toBe(registry.length);
    expect(new Set(registry.map((row) => row.query.toLowerCase())).size).toBe(registry.length);
  });

  it('shuffles the corpus, so that a canonical is as likely to come first among its own as any distractor', () => {
    const share =
      queries.filter((query) => {
        const [canonical = ''] = query.correct_corpus_ids;
        return query.paired_distractor_corpus_ids.every((other) => canonical < other);
      }).length / queries.length;
    // One in five is expected; four standard deviations of 150 tasks are 0.13.
    expect(share).toBeGreaterThan(0.07);
    expect(share).toBeLessThan(0.33);
  });

  it('stores for each snippet one outcome a test: canonicals pass, distractors fail by their output', () => {
    expect(cache).toHaveLength(corpus.length);
    const queryOf = new Map(queries.map((query) => [query.query_id, query]));
    let raising = 0;
    for (const row of cache) {
      const query = queryOf.get(row.query_id);
      if (query === undefined) throw new Error(`no query ${row.query_id}`);
      expect(row.code_sha256).toBe(sha256(code(row.corpus_id)));
      expect(row.tests_sha256).toBe(sha256(query.test_suite.join('\n')));
      expect(row.outcomes).toHaveLength(query.test_suite.length);
      for (const outcome of row.outcomes) expect(outcome).toMatch(/^(pass|FAIL:AssertionError|ERROR:\w+)$/);
      if (query.correct_corpus_ids.includes(row.corpus_id)) {
        expect(row.outcomes.every((outcome) => outcome === 'pass')).toBe(true);
      } else {
        expect(row.outcomes.some((outcome) => outcome.startsWith('FAIL'))).toBe(true);
        if (row.outcomes.some((outcome) => outcome.startsWith('ERROR'))) raising++;
      }
    }
    expect(raising / metadata.length).toBeLessThanOrEqual(0.05);
  });

  it('spreads the distractors evenly over the six bug types', () => {
    for (const bugType of bugTypes) {
      const share = metadata.filter((row) => row.bug_type === bugType).length / metadata.length;
      expect(share, bugType).toBeGreaterThan(0.14);
      expect(share, bugType).toBeLessThan(0.19);
    }
  });

  it('is what its script makes of the sources, byte for byte', () => {
    const run = spawnSync(process.execPath, [join(root, 'scripts/make-exec-mini.mjs'), '--check'], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
  });
});
