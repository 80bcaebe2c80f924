/**
 * Builds the bundled benchmark exec-mini from its sources and checks it.
 *
 *   node scripts/make-exec-mini.mjs                       build, with the outcomes stored by an earlier execution
 *   node scripts/make-exec-mini.mjs --judge "COMMAND"     execute everything again; stop where a stored outcome differs
 *   node scripts/make-exec-mini.mjs --judge "COMMAND" --renew   the same, and let the new outcomes replace the stored ones
 *   node scripts/make-exec-mini.mjs --check               write nothing; exit 1 when the built files are not the sources'
 *
 * COMMAND reads one suite a line on its standard input and answers one result a line, as `assay judge -` does:
 * `--judge "npm run -s assay -- judge"`. Code is never run by this script itself. The files are those of ExecRetrieval;
 * equal sources and outcomes give equal bytes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as v from 'valibot';

import { datasetCard } from './exec-mini-card.mjs';
import {
  distractorEdit,
  executionGate,
  integrityGate,
  pythonParser,
  registryRow,
  schemaGate,
  snippetsOf,
  syntaxGate,
} from './exec-mini-gates.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = join(ROOT, 'benchmark-sources', 'exec-mini');
const BUILT = join(ROOT, 'public', 'benchmarks', 'exec-mini');
/** Decides the order of the corpus, in which a canonical and its distractors lie apart. */
const SHUFFLE_SEED = 20261130;

const { values: options } = parseArgs({
  options: {
    judge: { type: 'string' },
    renew: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});

const entries = readEntries();
const parser = await pythonParser();
const stored = readStoredOutcomes();
const outcomes = options.judge === undefined ? stored : executeAll(options.judge);
const outcomesOf = (code, tests) => {
  const found = outcomes.get(suiteKey(code, tests));
  if (found === undefined)
    throw new Error('a snippet has no stored outcomes: run again with --judge "npm run -s assay -- judge"');
  return found;
};

const gates = [
  ['schema', schemaGate(entries)],
  ['syntax tree', syntaxGate(entries, parser)],
  ['execution', executionGate(entries, outcomesOf)],
  ['integrity', integrityGate(entries, parser)],
];
const breaches = gates.flatMap(([gate, found]) => found.map((breach) => `${gate}: ${breach}`));
if (breaches.length > 0) {
  console.error(breaches.join('\n'));
  console.error(`exec-mini was not built: ${breaches.length} breaches of its gates`);
  process.exit(1);
}

const files = buildFiles();
if (options.check) {
  const stale = Object.keys(files).filter((name) => {
    const path = join(BUILT, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== files[name];
  });
  if (stale.length > 0) {
    console.error(`not what the sources give, run scripts/make-exec-mini.mjs: ${stale.join(', ')}`);
    process.exit(1);
  }
} else {
  mkdirSync(join(BUILT, 'data'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(BUILT, name), text);
}
const distractorCount = entries.reduce((sum, entry) => sum + entry.distractors.length, 0);
console.log(
  `exec-mini ${options.check ? 'checked' : 'written'}: ${entries.length} tasks, ${distractorCount} distractors`,
);

/** The entries in registry order, each with its canonical, tests and distractors with the place of their edit. */
function readEntries() {
  const lines = readFileSync(join(SOURCES, 'registry.jsonl'), 'utf8').trimEnd().split('\n');
  const read = lines.map((line, index) => {
    const row = parseAs(registryRow, line, `registry.jsonl line ${index + 1}`);
    const folder = join(SOURCES, row.entry_id);
    const code = readFileSync(join(folder, 'canonical.py'), 'utf8');
    const tests = readFileSync(join(folder, 'tests.py'), 'utf8').trimEnd().split('\n');
    const place = `${row.entry_id}/distractors.json`;
    const edits = parseAs(
      v.array(distractorEdit),
      readFileSync(join(folder, 'distractors.json'), 'utf8'),
      place,
    );
    return {
      entryId: row.entry_id,
      name: row.name,
      query: row.query,
      domain: row.domain,
      code,
      tests,
      distractors: edits.map((edit) => applyEdit(code, edit, place)),
    };
  });
  const known = new Set(read.map((entry) => entry.entryId));
  const stray = readdirSync(SOURCES, { withFileTypes: true }).filter(
    (e) => e.isDirectory() && !known.has(e.name),
  );
  if (stray.length > 0)
    throw new Error(`folders missing from registry.jsonl: ${stray.map((e) => e.name).join(', ')}`);
  return read;
}

function parseAs(schema, json, place) {
  const parsed = v.safeParse(schema, JSON.parse(json));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(`${place}: ${v.getDotPath(issue) ?? 'the value'}: ${issue.message}`);
}

/** The distractor that one edit makes, with the edit's half-open span in UTF-16 units. */
function applyEdit(code, edit, place) {
  const places = [];
  for (let at = code.indexOf(edit.find); at >= 0; at = code.indexOf(edit.find, at + 1)) places.push(at);
  if (places.length === 0) throw new Error(`${place}: not in canonical.py: ${JSON.stringify(edit.find)}`);
  if (places.length > 1 && edit.occurrence === undefined)
    throw new Error(`${place}: ${places.length} times in canonical.py, give an occurrence: ${edit.find}`);
  const start = places[(edit.occurrence ?? 1) - 1];
  if (start === undefined) throw new Error(`${place}: no occurrence ${edit.occurrence} of ${edit.find}`);
  if (edit.find === edit.replace) throw new Error(`${place}: changes nothing: ${edit.find}`);
  const end = start + edit.find.length;
  return {
    bugType: edit.bug_type,
    start,
    end,
    before: edit.find,
    after: edit.replace,
    code: code.slice(0, start) + edit.replace + code.slice(end),
  };
}

/** The built files by name. */
function buildFiles() {
  const snippets = entries.flatMap((entry, entryIndex) =>
    snippetsOf(entry).map(({ code }, index) => ({ entryIndex, index, code })),
  );
  shuffle(snippets);
  const idOf = new Map();
  const corpus = snippets.map(({ entryIndex, index, code }, position) => {
    const corpusId = `c_${String(position + 1).padStart(4, '0')}`;
    idOf.set(`${entryIndex}/${index}`, corpusId);
    const { entryId, distractors } = entries[entryIndex];
    return index === 0
      ? { corpus_id: corpusId, code, label: 'correct', source_entry_id: entryId }
      : {
          corpus_id: corpusId,
          code,
          label: 'incorrect',
          bug_type: distractors[index - 1].bugType,
          source_entry_id: entryId,
        };
  });
  const queryId = (entryIndex) => `q_${String(entryIndex + 1).padStart(4, '0')}`;
  const queries = entries.map((entry, entryIndex) => ({
    query_id: queryId(entryIndex),
    query: entry.query,
    test_suite: entry.tests,
    correct_corpus_ids: [idOf.get(`${entryIndex}/0`)],
    paired_distractor_corpus_ids: entry.distractors.map((_, i) => idOf.get(`${entryIndex}/${i + 1}`)),
    entry_id: entry.entryId,
    metadata: { domain: entry.domain, name: entry.name },
  }));
  const metadata = entries.flatMap((entry, entryIndex) =>
    entry.distractors.map((distractor, index) => {
      const until = (end) => entry.code.slice(0, end);
      return {
        corpus_id: idOf.get(`${entryIndex}/${index + 1}`),
        canonical_corpus_id: idOf.get(`${entryIndex}/0`),
        query_id: queryId(entryIndex),
        entry_id: entry.entryId,
        bug_type: distractor.bugType,
        start_code_point: [...until(distractor.start)].length,
        end_code_point: [...until(distractor.end)].length,
        start_byte: Buffer.byteLength(until(distractor.start)),
        end_byte: Buffer.byteLength(until(distractor.end)),
        before: distractor.before,
        after: distractor.after,
        span_code_points: editedSpan(entry.code, distractor.code),
      };
    }),
  );
  const cache = queries.flatMap((query, entryIndex) =>
    snippetsOf(entries[entryIndex]).map(({ code }, index) => ({
      code_sha256: sha256(code),
      tests_sha256: testsDigest(query.test_suite),
      corpus_id: idOf.get(`${entryIndex}/${index}`),
      query_id: query.query_id,
      outcomes: outcomesOf(code, query.test_suite),
    })),
  );
  return {
    'data/corpus.jsonl': jsonLines(corpus),
    'data/queries.jsonl': jsonLines(queries),
    'data/distractor_metadata.jsonl': jsonLines(metadata),
    'data/execution_cache.jsonl': jsonLines(cache),
    'README.md': datasetCard(entries, outcomesOf, metadata),
  };
}

/** Length of the edited span as ExecRetrieval counts it: common prefix, then common suffix stripped; the longer side, in code points. */
function editedSpan(canonical, distractor) {
  const a = [...canonical];
  const b = [...distractor];
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  return Math.max(a.length, b.length) - prefix - suffix;
}

/** Outcomes of the built execution cache by suite key; empty before the first build. */
function readStoredOutcomes() {
  const path = join(BUILT, 'data', 'execution_cache.jsonl');
  if (!existsSync(path)) return new Map();
  const rows = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return new Map(rows.map((row) => [`${row.code_sha256}/${row.tests_sha256}`, row.outcomes]));
}

/** Runs every snippet against its tests through the judge command and compares with what is stored. */
function executeAll(command) {
  const suites = entries.flatMap((entry) =>
    snippetsOf(entry).map(({ label, code }) => ({ id: label, code, tests: entry.tests })),
  );
  const run = spawnSync(`${command} -`, {
    shell: true,
    input: jsonLines(suites),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error(`${command} ended with ${run.status ?? run.signal}`);
  const results = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (results.length !== suites.length)
    throw new Error(`${command} answered ${results.length} of ${suites.length} suites`);
  const executed = new Map();
  const differing = [];
  suites.forEach((suite, index) => {
    const result = results[index];
    if (result.id !== suite.id)
      throw new Error(`result ${index + 1} is for ${result.id}, not for ${suite.id}`);
    const key = suiteKey(suite.code, suite.tests);
    executed.set(key, result.tests.map(outcomeText));
    const before = stored.get(key);
    if (before !== undefined && before.join('\n') !== executed.get(key).join('\n'))
      differing.push(`${suite.id}: stored ${before.join(' ')}, executed ${executed.get(key).join(' ')}`);
  });
  console.log(
    `executed ${suites.length} suites: ${differing.length} differ from the stored outcomes, ` +
      `${[...executed.keys()].filter((key) => !stored.has(key)).length} are new`,
  );
  if (differing.length > 0 && !options.renew) {
    console.error(
      `${differing.join('\n')}\nnothing written; --renew lets the new outcomes replace the stored ones`,
    );
    process.exit(1);
  }
  return executed;
}

/** ExecRetrieval's spelling of an outcome. Of an exception only the class is kept: its text differs between Python versions. */
function outcomeText({ verdict, message, errorType }) {
  if (verdict === 'pass') return 'pass';
  if (verdict === 'wrong') return 'FAIL:AssertionError';
  if (verdict === 'timeout') return 'TIMEOUT';
  return `ERROR:${errorType ?? /^\w*/.exec(message)?.[0] ?? verdict}`;
}

function suiteKey(code, tests) {
  return `${sha256(code)}/${testsDigest(tests)}`;
}

function testsDigest(tests) {
  return sha256(tests.join('\n'));
}

function sha256(text) {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function jsonLines(rows) {
  return rows.map((row) => JSON.stringify(row) + '\n').join('');
}

/** Fisher-Yates in place, driven by mulberry32, so that the order depends on the seed alone. */
function shuffle(items) {
  let state = SHUFFLE_SEED;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
}
