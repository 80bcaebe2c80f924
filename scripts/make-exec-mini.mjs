/**
 * Builds the bundled benchmark exec-mini from its sources and checks it.
 *
 *   node scripts/make-exec-mini.mjs                       build, with the outcomes stored by an earlier execution
 *   node scripts/make-exec-mini.mjs --judge "COMMAND"     execute everything again; stop where a stored outcome differs
 *   node scripts/make-exec-mini.mjs --judge "COMMAND" --renew   the same, and let the new outcomes replace the stored ones
 *   node scripts/make-exec-mini.mjs --check               write nothing; exit 1 when the built files are not the sources'
 *
 * `--sources FOLDER` and `--out FOLDER` replace benchmark-sources/exec-mini and public/benchmarks/exec-mini.
 * COMMAND is called with the path of a file that holds one suite a line and answers one result a line, as `assay judge`
 * does: `--judge "npm run -s assay -- judge"`. Code is never run by this script itself. The files are those of ExecRetrieval;
 * equal sources and outcomes give equal bytes.
 */
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
import { executeAll, readStoredOutcomes, sha256, suiteKey, testsDigest } from './exec-mini-outcomes.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Decides the order of the corpus, in which a canonical and its distractors lie apart. */
const SHUFFLE_SEED = 20261130;

const { values: options } = parseArgs({
  options: {
    sources: { type: 'string', default: join(ROOT, 'benchmark-sources', 'exec-mini') },
    out: { type: 'string', default: join(ROOT, 'public', 'benchmarks', 'exec-mini') },
    judge: { type: 'string' },
    renew: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});

try {
  await make();
} catch (error) {
  console.error(`exec-mini was not built: ${error.message}`);
  process.exitCode = 1;
}

/** Reads, executes or recalls, passes the gates and writes or compares. Throws with one message for people. */
async function make() {
  const entries = readEntries();
  const parser = await pythonParser();
  const outcomes = collectOutcomes(entries);
  const outcomesOf = (code, tests) => {
    const found = outcomes.get(suiteKey(code, tests));
    if (found !== undefined) return found;
    throw new Error('a snippet has no stored outcomes, run again with --judge "npm run -s assay -- judge"');
  };
  const gates = {
    schema: () => schemaGate(entries),
    'syntax tree': () => syntaxGate(entries, parser),
    execution: () => executionGate(entries, outcomesOf),
    integrity: () => integrityGate(entries, parser),
  };
  for (const [gate, breaches] of Object.entries(gates)) {
    const found = breaches();
    if (found.length > 0) throw new Error(`the gate "${gate}" is closed\n${found.join('\n')}`);
  }

  const files = buildFiles(entries, outcomesOf);
  if (options.check) {
    const stale = Object.keys(files).filter((name) => {
      const path = join(options.out, name);
      return !existsSync(path) || readFileSync(path, 'utf8') !== files[name];
    });
    if (stale.length > 0)
      throw new Error(`not what the sources give, run without --check: ${stale.join(', ')}`);
  } else {
    mkdirSync(join(options.out, 'data'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(options.out, name), text);
  }
  const distractors = entries.reduce((sum, entry) => sum + entry.distractors.length, 0);
  const done = options.check ? 'checked' : 'written';
  console.log(`exec-mini ${done}: ${entries.length} tasks, ${distractors} distractors`);
}

/** The stored outcomes or, with --judge, those of executing everything again. */
function collectOutcomes(entries) {
  const stored = readStoredOutcomes(join(options.out, 'data', 'execution_cache.jsonl'));
  if (options.judge === undefined) return stored;
  const { executed, differing, fresh } = executeAll(entries, options.judge, stored);
  console.log(
    `executed ${executed.size} suites: ${differing.length} differ from the stored outcomes, ${fresh} are new`,
  );
  if (differing.length > 0 && !options.renew)
    throw new Error(
      `stored outcomes differ, --renew lets the new ones replace them\n${differing.join('\n')}`,
    );
  return executed;
}

/** The entries in registry order, each with its canonical, tests and distractors with the place of their edit. */
function readEntries() {
  const lines = readFileSync(join(options.sources, 'registry.jsonl'), 'utf8').trimEnd().split('\n');
  const read = lines.map((line, index) => {
    const row = parseAs(registryRow, line, `registry.jsonl line ${index + 1}`);
    const folder = join(options.sources, row.entry_id);
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
  const stray = readdirSync(options.sources, { withFileTypes: true }).filter(
    (e) => e.isDirectory() && !known.has(e.name),
  );
  if (stray.length > 0)
    throw new Error(`folders missing from registry.jsonl: ${stray.map((e) => e.name).join(', ')}`);
  return read;
}

function parseAs(schema, json, place) {
  let value;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(`${place}: ${error.message}`);
  }
  const parsed = v.safeParse(schema, value);
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
function buildFiles(entries, outcomesOf) {
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
