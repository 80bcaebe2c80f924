import type { CorpusPiece } from './snapshot-corpus.ts';
import type { RepoBuild, RepoQuery } from './build.ts';

/** Lines of the three files of CORE-Bench's layout, made one by one: `filtered_corpus_id` alone can be hundreds of megabytes. */
export interface CoreBenchFiles {
  readonly corpus: Iterable<string>;
  readonly queries: Iterable<string>;
  readonly qrels: Iterable<string>;
}

/** A build in CORE-Bench's layout. Ids of pieces are numbers in the order in which the build met them. */
export function coreBenchFiles(build: Pick<RepoBuild, 'pieces' | 'queries'>): CoreBenchFiles {
  const width = Math.max(6, String(build.pieces.length).length);
  const idOf = (piece: number): string => `c_${String(piece + 1).padStart(width, '0')}`;
  return {
    corpus: corpusLines(build.pieces, idOf),
    queries: queryLines(build.queries, idOf),
    qrels: qrelLines(build.queries, idOf),
  };
}

function* corpusLines(pieces: readonly CorpusPiece[], idOf: (piece: number) => string): Generator<string> {
  for (const [number, { path, text, language, span, commit }] of pieces.entries())
    yield line({
      _id: idOf(number),
      title: path,
      text,
      language,
      start_line: span.first,
      end_line: span.last,
      commit,
    });
}

function* queryLines(queries: readonly RepoQuery[], idOf: (piece: number) => string): Generator<string> {
  for (const { id, text, commit, base, intent, visible } of queries)
    yield line({
      _id: id,
      text,
      intent,
      commit,
      base_commit: base,
      filtered_corpus_id: Array.from(visible, idOf),
    });
}

function* qrelLines(queries: readonly RepoQuery[], idOf: (piece: number) => string): Generator<string> {
  for (const { id, gold } of queries)
    for (const piece of gold) yield line({ query_id: id, corpus_id: idOf(piece), score: 1 });
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
