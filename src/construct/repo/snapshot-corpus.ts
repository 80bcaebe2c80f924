import type { SyntaxParsers } from '../syntax/syntax-parsers.ts';
import { chunkFile, linesOf } from './chunk-file.ts';
import { kindOf, type FileKind } from './languages.ts';
import type { LineSpan } from './line-cuts.ts';
import type { Repository, TreeFile } from './repository.ts';

/** A file larger than this is left out: generated, or data. */
const MOST_BYTES = 1_000_000;
/** A line longer than this marks a file as minified or as data. */
const LONGEST_LINE = 5_000;

/** One piece of the merged corpus: the same text at the same path in any number of snapshots is one. */
export interface CorpusPiece {
  readonly path: string;
  readonly text: string;
  readonly language: string;
  /** Where it stood in the first snapshot that had it. */
  readonly span: LineSpan;
  /** That snapshot's commit. */
  readonly commit: string;
}

/** A file as pieces of the merged corpus: `spans[i]` is where piece `pieces[i]` stands in this version of the file. */
export interface ChunkedFile {
  readonly pieces: Int32Array;
  readonly spans: readonly LineSpan[];
}

/** Why a file has no pieces. */
export type LeftOut = 'binary' | 'too-large' | 'long-lines' | 'lfs-pointer' | 'not-utf8' | 'other-file-type';

/**
 * The corpus of all snapshots, merged: every version of a file is read and cut once, equal pieces of one path are one
 * document. A snapshot is then a list of document numbers.
 */
export class SnapshotCorpus {
  readonly pieces: CorpusPiece[] = [];
  /** How many file versions were left out, by reason. */
  readonly leftOut = new Map<LeftOut, number>();
  /** Files whose tree has errors are still cut by what the parser made of them. */
  readonly #repository: Repository;
  readonly #parsers: SyntaxParsers;
  readonly #files = new Map<string, ChunkedFile | undefined>();
  readonly #numbers = new Map<string, Map<string, number>>();

  constructor(repository: Repository, parsers: SyntaxParsers) {
    this.#repository = repository;
    this.#parsers = parsers;
  }

  /** The pieces of one version of a file; undefined when it is left out. `commit` is noted on pieces that are new. */
  async file({ path, blob }: TreeFile, commit: string): Promise<ChunkedFile | undefined> {
    const key = `${blob} ${path}`;
    if (this.#files.has(key)) return this.#files.get(key);
    const chunked = await this.#chunk(path, blob, commit);
    this.#files.set(key, chunked);
    return chunked;
  }

  /** Numbers of the pieces that a snapshot holds, ascending. */
  async snapshot(files: readonly TreeFile[], commit: string): Promise<Int32Array> {
    const visible = new Set<number>();
    for (const file of files)
      for (const piece of (await this.file(file, commit))?.pieces ?? []) visible.add(piece);
    return Int32Array.from(visible).sort();
  }

  /** The text of a file if it is one that is cut, else why not. */
  async text(
    path: string,
    blob: string,
  ): Promise<{ readonly text: string; readonly kind: FileKind } | LeftOut> {
    const kind = kindOf(path);
    if (kind === undefined) return 'other-file-type';
    const bytes = await this.#repository.blob(blob);
    if (bytes.length > MOST_BYTES) return 'too-large';
    if (bytes.subarray(0, 8_000).includes(0)) return 'binary';
    let text: string;
    try {
      text = strictUtf8.decode(bytes);
    } catch {
      return 'not-utf8';
    }
    if (text.startsWith('version https://git-lfs.github.com/spec/')) return 'lfs-pointer';
    return hasLongLine(text) ? 'long-lines' : { text, kind };
  }

  async #chunk(path: string, blob: string, commit: string): Promise<ChunkedFile | undefined> {
    const read = await this.text(path, blob);
    if (typeof read === 'string') {
      this.leftOut.set(read, (this.leftOut.get(read) ?? 0) + 1);
      return undefined;
    }
    const spans = chunkFile(read.text, read.kind, this.#parsers);
    const lines = linesOf(read.text);
    let known = this.#numbers.get(path);
    if (known === undefined) this.#numbers.set(path, (known = new Map()));
    const seen = new Map<string, number>();
    const pieces = spans.map((span) => {
      const text = lines.slice(span.first - 1, span.last).join('\n');
      // Two equal pieces of one file stay two: a change may touch one of them only.
      const ordinal = seen.get(text) ?? 0;
      seen.set(text, ordinal + 1);
      const key = ordinal === 0 ? text : `${ordinal}\0${text}`;
      let number = known.get(key);
      if (number === undefined) {
        number = this.pieces.length;
        known.set(key, number);
        this.pieces.push({ path, text, language: read.kind.language, span, commit });
      }
      return number;
    });
    return { pieces: Int32Array.from(pieces), spans };
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function hasLongLine(text: string): boolean {
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    if ((end < 0 ? text.length : end) - from > LONGEST_LINE) return true;
    if (end < 0) return false;
    from = end + 1;
  }
  return false;
}
