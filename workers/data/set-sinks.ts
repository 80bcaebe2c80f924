import { createSHA256, type IHasher } from 'hash-wasm';
import { canonicalJson, type Digest } from '../../src/domain/digest.ts';
import type { SetKind, SetShapes } from '../../src/contracts/blocks.ts';
import type { SetWriter } from '../../src/store/block-store.ts';
import type { DocumentRow, QueryRow, ReadPosition } from '../../src/sources/layouts/layout.ts';

/** Blocks are closed at about this size: small enough to go on from, large enough to be few. */
export const TARGET_BLOCK_BYTES = 2 * 1024 * 1024;
/** Canonical lines are hashed in stretches of this many characters: one by one is slow, a block at once takes memory. */
const HASHED_CHARACTERS = 64 * 1024;
const MAX_BLOCK_ROWS = 100_000;

interface ResumeState {
  readonly position: ReadPosition;
  readonly hash: Uint8Array;
}

/** Turns rows into blocks of one set and hashes their canonical content on the way. */
export interface SetSink<R> {
  /** Rows that are in the set, stored or waiting. */
  readonly rows: number;
  /** How many of them wait to be written. */
  readonly pendingRows: number;
  /** Where reading went on when the last stored block was written; undefined at the start. */
  readonly resumeAt: ReadPosition | undefined;
  /**
   * Adds a row; `next` is the place behind it. Returns a promise only when a block has to be written first: most rows
   * cost no turn of the event loop.
   */
  add(row: R, next: ReadPosition): Promise<void> | undefined;
  /** Writes what is left and returns the content digest. */
  finish(): Promise<Digest>;
}

/** How the rows of one kind become a block and a canonical line. */
interface Shape<K extends SetKind, R> {
  readonly line: (row: R) => string;
  readonly block: (rows: readonly R[]) => SetShapes[K]['block'];
}

/**
 * Returns a sink on a writer; a set that holds blocks already is gone on with. The content digest is SHA-256 over one
 * line of canonical JSON a row, in order: the same whatever the blocks and whatever file format the rows came from.
 */
export async function openSink<K extends SetKind, R>(
  writer: SetWriter<K>,
  shape: Shape<K, R>,
  blockBytes = TARGET_BLOCK_BYTES,
): Promise<SetSink<R>> {
  const hasher: IHasher = await createSHA256();
  const resumed = writer.resume as ResumeState | undefined;
  if (resumed === undefined) hasher.init();
  else hasher.load(resumed.hash);
  let pending: R[] = [];
  let pendingBytes = 0;
  let lines: string[] = [];
  let lineCharacters = 0;
  let position = resumed?.position;
  let storedRows = writer.manifest.rows;
  /** One block is written while the next one fills; a failure shows at the next write. */
  let writing = Promise.resolve();

  const hashLines = (): void => {
    hasher.update(lines.join(''));
    lines = [];
    lineCharacters = 0;
  };
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return;
    hashLines();
    const rows = pending;
    const state = position === undefined ? undefined : { position, hash: hasher.save() };
    storedRows += rows.length;
    pending = [];
    pendingBytes = 0;
    const previous = writing;
    writing = previous.then(() => writer.append(shape.block(rows), state));
    writing.catch(() => undefined); // Awaited by the next flush or by finish.
    await previous;
  };
  const keep = (row: R, line: string, next: ReadPosition): void => {
    pending.push(row);
    pendingBytes += line.length;
    lines.push(line, '\n');
    lineCharacters += line.length;
    if (lineCharacters > HASHED_CHARACTERS) hashLines();
    position = next;
  };

  return {
    get rows() {
      return storedRows + pending.length;
    },
    get pendingRows() {
      return pending.length;
    },
    resumeAt: resumed?.position,
    add(row, next) {
      const line = shape.line(row);
      // Flushing before a row that would make the block too large keeps every block below the limit.
      if (pendingBytes + line.length > blockBytes || pending.length >= MAX_BLOCK_ROWS)
        return flush().then(() => keep(row, line, next));
      keep(row, line, next);
      return undefined;
    },
    async finish() {
      await flush();
      await writing;
      return hasher.digest('hex');
    },
  };
}

/** Documents: the canonical line is [id, text, title, language, extras]. */
export const DOCUMENTS: Shape<'documents', DocumentRow> = {
  line: ({ id, text, title = '', language = '', extra }) =>
    JSON.stringify([id, text, title, language, extraText(extra)]),
  block: (rows) => ({
    ids: rows.map((row) => row.id),
    texts: rows.map((row) => row.text),
    ...column('titles', rows, (row) => row.title),
    ...column('languages', rows, (row) => row.language),
    ...column('extras', rows, (row) => extraText(row.extra)),
  }),
};

/** Queries: the canonical line is [id, text, extras]. */
export const QUERIES: Shape<'queries', QueryRow> = {
  line: ({ id, text, extra }) => JSON.stringify([id, text, extraText(extra)]),
  block: (rows) => ({
    ids: rows.map((row) => row.id),
    texts: rows.map((row) => row.text),
    ...column('extras', rows, (row) => extraText(row.extra)),
  }),
};

/** Judgements: the canonical line is [query, document, grade]. */
export const QRELS: Shape<'qrels', { queryId: string; documentId: string; grade: number }> = {
  line: ({ queryId, documentId, grade }) => JSON.stringify([queryId, documentId, grade]),
  block: (rows) => ({
    queryIds: rows.map((row) => row.queryId),
    documentIds: rows.map((row) => row.documentId),
    grades: Int32Array.from(rows, (row) => row.grade),
  }),
};

/** Execution tasks: the canonical line is the task's canonical JSON. */
export const EXECUTION: Shape<'execution', NonNullable<QueryRow['task']>> = {
  line: (task) => canonicalJson(task),
  block: (tasks) => ({ tasks }),
};

/** One query's bitmap over the corpus rows: the canonical line is the query's id and the bits in hexadecimal. */
export const VISIBILITY: Shape<'visibility', { queryId: string; bitmap: Uint8Array }> = {
  line: ({ queryId, bitmap }) => JSON.stringify([queryId, hex(bitmap)]),
  block: (rows) => {
    const bytesPerQuery = rows[0]?.bitmap.byteLength ?? 0;
    const bitmaps = new Uint8Array(bytesPerQuery * rows.length);
    rows.forEach(({ bitmap }, i) => bitmaps.set(bitmap, i * bytesPerQuery));
    return { queryIds: rows.map((row) => row.queryId), bytesPerQuery, bitmaps };
  },
};

function extraText(extra: Readonly<Record<string, unknown>> | undefined): string {
  return extra === undefined || Object.keys(extra).length === 0 ? '' : canonicalJson(extra);
}

function column<R, N extends string>(
  name: N,
  rows: readonly R[],
  value: (row: R) => string | undefined,
): { [key in N]?: readonly string[] } {
  const values = rows.map((row) => value(row) ?? '');
  type Column = { [key in N]?: readonly string[] };
  return values.some((text) => text !== '') ? ({ [name]: values } as unknown as Column) : {};
}

function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
