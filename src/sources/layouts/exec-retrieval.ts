import {
  cachedOutcomesOf,
  cacheRowSchema,
  corpusRowSchema,
  distractorRowSchema,
  domainOfEntry,
  queryRowSchema,
  type CachedOutcomes,
} from '../../benchmarks/rows/exec-retrieval.ts';
import type { ByteSource } from '../../codecs/byte-source.ts';
import { readJsonLines } from '../../codecs/jsonl.ts';
import { rowError } from '../../codecs/row.ts';
import { AppError } from '../../domain/app-error.ts';
import {
  findFile,
  parseRow,
  type DocumentRow,
  type FileSet,
  type LayoutReader,
  type Placed,
  type QueryContext,
  type QueryRow,
  type ReadContext,
  type ReadPosition,
} from './layout.ts';

const NAMES = ['corpus', 'queries', 'distractor_metadata', 'execution_cache'] as const;

/**
 * Reads ExecRetrieval's layout: corpus.jsonl and queries.jsonl (with test_suite), and where present
 * distractor_metadata.jsonl and execution_cache.jsonl, at the top of the set or under data/.
 * Errors: `missing-file`, `bad-row` and those of the JSON Lines codec, each with file, line and value.
 */
export function execRetrievalLayout(set: FileSet): LayoutReader {
  const [corpus, queries, metadata, cache] = NAMES.map((name) =>
    findFile(set, `${name}.jsonl`, `data/${name}.jsonl`),
  );
  if (corpus === undefined || queries === undefined) {
    const missing = corpus === undefined ? 'corpus.jsonl' : 'queries.jsonl';
    throw new AppError(
      'input',
      'missing-file',
      `${set.name} has no ${missing} (nor data/${missing}); it holds ${listed(set)}.`,
    );
  }
  return {
    layout: 'exec-retrieval',
    protocolId: 'execretrieval',
    files: [corpus, queries, ...(metadata ? [metadata] : []), ...(cache ? [cache] : [])],
    documents: (start, context) => readDocuments(corpus, start, context),
    async *queries(context) {
      yield* readQueries(queries, await collectBugTypes(metadata, context), context);
    },
    ...(cache ? { cachedOutcomes: (context: ReadContext) => readCache(cache, context) } : {}),
  };
}

async function* readDocuments(
  file: ByteSource,
  start: ReadPosition | undefined,
  context: ReadContext,
): AsyncGenerator<Placed<DocumentRow>[], void, undefined> {
  const total = await file.size(context.signal);
  const rows = readJsonLines(file, {
    signal: context.signal,
    ...(start ? { start } : {}),
    onOffset: (done) => report(context, file, done, total),
  });
  for await (const batch of rows) {
    yield batch.map((row) => {
      const { corpus_id, code, label, bug_type, source_entry_id } = parseRow(
        corpusRowSchema,
        file.name,
        row,
        ['corpus_id'],
      );
      const extra = {
        ...(label ? { label } : {}),
        ...(bug_type ? { bugType: bug_type } : {}),
        ...(source_entry_id ? { entryId: source_entry_id } : {}),
      };
      const value: DocumentRow = { id: corpus_id, text: code, language: 'python', extra };
      return { value, file: file.name, line: row.line, next: { file: 0, offset: row.end, line: row.line } };
    });
  }
}

async function* readQueries(
  file: ByteSource,
  bugTypes: ReadonlyMap<string, string>,
  context: ReadContext,
): AsyncGenerator<Placed<QueryRow>[], void, undefined> {
  const total = await file.size(context.signal);
  const rows = readJsonLines(file, {
    signal: context.signal,
    onOffset: (done) => report(context, file, done, total),
  });
  for await (const batch of rows) {
    yield batch.map((row) => {
      const parsed = parseRow(queryRowSchema, file.name, row, ['query_id']);
      const distractors = parsed.paired_distractor_corpus_ids ?? [];
      const own = [...parsed.correct_corpus_ids, ...distractors];
      const twice = own.find((id, i) => own.indexOf(id) !== i);
      if (twice !== undefined)
        throw rowError(
          file.name,
          row.line,
          'duplicate-id',
          `query "${parsed.query_id}" names the corpus id "${twice}" twice`,
        );
      const declared = parsed.metadata?.['domain'];
      const domain =
        domainOfEntry(parsed.entry_id) ??
        (typeof declared === 'string' && declared !== '' ? declared : 'other');
      const value: QueryRow = {
        id: parsed.query_id,
        text: parsed.query,
        extra: { domain, ...(parsed.entry_id ? { entryId: parsed.entry_id } : {}) },
        judgements: parsed.correct_corpus_ids.map((documentId) => ({ documentId, grade: 1 })),
        task: {
          queryId: parsed.query_id,
          domain,
          tests: parsed.test_suite,
          canonicalIds: parsed.correct_corpus_ids,
          distractors: distractors.map((documentId) => ({
            documentId,
            bugType: bugTypes.get(documentId) ?? 'unknown',
          })),
        },
      };
      return { value, file: file.name, line: row.line, next: { file: 1, offset: row.end, line: row.line } };
    });
  }
}

/** Bug types stand in corpus.jsonl, which is stored by now; distractor_metadata.jsonl fills the gaps. */
async function collectBugTypes(
  metadata: ByteSource | undefined,
  context: QueryContext,
): Promise<ReadonlyMap<string, string>> {
  const bugTypes = new Map<string, string>();
  if (metadata !== undefined) {
    for await (const batch of readJsonLines(metadata, { signal: context.signal })) {
      for (const row of batch) {
        const parsed = parseRow(distractorRowSchema, metadata.name, row, ['corpus_id', 'distractor_id']);
        const id = parsed.corpus_id ?? parsed.distractor_id;
        if (id !== undefined && parsed.bug_type) bugTypes.set(id, parsed.bug_type);
      }
    }
  }
  for (const [id, bugType] of await context.documentExtras('bugType')) bugTypes.set(id, bugType);
  return bugTypes;
}

async function* readCache(
  file: ByteSource,
  context: ReadContext,
): AsyncGenerator<Placed<CachedOutcomes>[], void, undefined> {
  const total = await file.size(context.signal);
  const rows = readJsonLines(file, {
    signal: context.signal,
    onOffset: (done) => report(context, file, done, total),
  });
  for await (const batch of rows) {
    const placed: Placed<CachedOutcomes>[] = [];
    for (const row of batch) {
      const value = cachedOutcomesOf(parseRow(cacheRowSchema, file.name, row));
      if (value === undefined)
        context.warn(
          'cache-row-without-outcome',
          `${file.name} has rows without outcomes; their suites will be run`,
          `line ${row.line}`,
        );
      else
        placed.push({
          value,
          file: file.name,
          line: row.line,
          next: { file: 3, offset: row.end, line: row.line },
        });
    }
    if (placed.length > 0) yield placed;
  }
}

function report(context: ReadContext, file: ByteSource, done: number, total: number | undefined): void {
  context.onProgress?.({ step: file.name, done, ...(total === undefined ? {} : { total }), unit: 'bytes' });
}

function listed(set: FileSet): string {
  const names = [...set.files.keys()];
  if (names.length === 0) return 'no files';
  return names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');
}
