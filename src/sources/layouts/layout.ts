import * as v from 'valibot';
import type { BenchmarkLayout } from '../../benchmarks/definition.ts';
import type { ExecutionTask } from '../../benchmarks/execution-task.ts';
import type { CachedOutcomes } from '../../benchmarks/rows/exec-retrieval.ts';
import { describeIssues } from '../../benchmarks/rows/schema.ts';
import type { ByteSource } from '../../codecs/byte-source.ts';
import { rowError, type Row } from '../../codecs/row.ts';
import type { Progress } from '../../contracts/calls.ts';
import type { DataWarning } from '../../contracts/data.ts';

/** Files by their path inside a folder, a repository or an archive. */
export interface FileSet {
  /** Where they are, in words for messages. */
  readonly name: string;
  readonly files: ReadonlyMap<string, ByteSource>;
}

/** A document as every layout gives it. */
export interface DocumentRow {
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly language?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A query as every layout gives it. */
export interface QueryRow {
  readonly id: string;
  readonly text: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Judgements that stand in the query's own row. */
  readonly judgements?: readonly { readonly documentId: string; readonly grade: number }[];
  readonly task?: ExecutionTask;
  /** Ids of the documents that exist for this query; absent = all. */
  readonly visible?: readonly string[];
}

/** One judgement as every layout gives it. */
export interface JudgementRow {
  readonly queryId: string;
  readonly documentId: string;
  readonly grade: number;
}

/** Where reading goes on: which of the layout's files, and the place in it. Plain data, kept with stored blocks. */
export interface ReadPosition {
  readonly file: number;
  readonly offset: number;
  readonly line: number;
}

/** A row with its place. */
export interface Placed<T> {
  readonly value: T;
  readonly file: string;
  readonly line: number;
  /** Where reading goes on after this row. */
  readonly next: ReadPosition;
}

/** What reading needs from whoever reads. */
export interface ReadContext {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Notes something odd that does not stop the load. */
  readonly warn: (code: DataWarning['code'], message: string, sample: string) => void;
}

/** Queries are read once all documents are stored. */
export interface QueryContext extends ReadContext {
  /** A text member of the stored documents' extras by document id; documents without it are absent. */
  readonly documentExtras: (member: string) => Promise<ReadonlyMap<string, string>>;
}

/** One way to lay out a benchmark in files. Readers yield rows in batches, in file order. */
export interface LayoutReader {
  readonly layout: BenchmarkLayout;
  /** The files that are read, in a fixed order: their fingerprints together are the source's. */
  readonly files: readonly ByteSource[];
  readonly protocolId: string;
  documents(start: ReadPosition | undefined, context: ReadContext): AsyncIterable<Placed<DocumentRow>[]>;
  queries(context: QueryContext): AsyncIterable<Placed<QueryRow>[]>;
  /** Judgements that lie in files of their own. */
  judgements?(context: ReadContext): AsyncIterable<Placed<JudgementRow>[]>;
  /** The authors' recorded outcomes. */
  cachedOutcomes?(context: ReadContext): AsyncIterable<Placed<CachedOutcomes>[]>;
}

/** A file of a set by any of its allowed paths, or undefined. */
export function findFile(set: FileSet, ...paths: string[]): ByteSource | undefined {
  for (const path of paths) {
    const file = set.files.get(path);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Parses a row by its schema. `ids` names members that hold ids: numbers among them become the text as written. */
export function parseRow<S extends v.GenericSchema>(
  schema: S,
  file: string,
  row: Row,
  ids: readonly string[] = [],
): v.InferOutput<S> {
  let { value } = row;
  for (const member of ids) {
    const id = value[member];
    if (typeof id === 'number') value = { ...value, [member]: row.numberText(member) ?? String(id) };
    else if (typeof id === 'bigint') value = { ...value, [member]: id.toString() };
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw rowError(file, row.line, 'bad-row', describeIssues(parsed.issues));
}
