import { open, stat } from 'node:fs/promises';
import { KNOWN_COLUMNS } from '../../src/benchmarks/rows/columns.ts';
import type { ByteSource } from '../../src/codecs/byte-source.ts';
import { parseDocumentLists } from '../../src/codecs/document-lists.ts';
import { trecRunLines } from '../../src/codecs/write-trec-run.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import { AppError } from '../../src/domain/app-error.ts';
import {
  Bm25Index,
  findTokenizer,
  findVariant,
  type Bm25Parameters,
} from '../../src/models/lexical/index.ts';
import { documentText } from '../../src/protocols/document-text.ts';
import type { ProtocolSettings } from '../../src/protocols/settings.ts';
import { tableLayout } from '../../src/sources/layouts/table-layout.ts';
import { localFile, localText } from '../local-file.ts';

/** The options of `assay bm25`. */
export interface Bm25FilesOptions {
  readonly corpus: string;
  readonly queries: string;
  readonly k: number;
  readonly variant: string;
  readonly tokenizer: string;
  readonly k1?: number;
  readonly b?: number;
  readonly delta?: number;
  readonly template: ProtocolSettings['documentTemplate'];
  readonly visible?: string;
  readonly statistics: 'corpus' | 'visible';
  readonly tag: string;
}

/** Ranks a corpus for queries and writes a TREC run, a query at a time. Errors: those of reading, `duplicate-id`. */
export async function bm25Files(
  options: Bm25FilesOptions,
  signal: AbortSignal,
  write: (text: string) => void,
): Promise<void> {
  const layout = tableLayout({
    layout: 'beir',
    protocolId: 'beir',
    documents: [await tableFile(options.corpus)],
    queries: [await tableFile(options.queries)],
    qrels: [],
    columns: KNOWN_COLUMNS,
  });
  const context = {
    signal,
    warn: (_code: string, message: string, sample: string) => console.error(`${message}: ${sample}`),
  };
  const { k1, b, delta } = options;
  const parameters: Partial<Bm25Parameters> = {
    ...(k1 !== undefined && { k1 }),
    ...(b !== undefined && { b }),
    ...(delta !== undefined && { delta }),
  };
  const index = new Bm25Index({
    variant: findVariant(options.variant),
    tokenizer: findTokenizer(options.tokenizer),
    parameters,
  });
  const rows = new Map<string, number>();
  for await (const batch of layout.documents(undefined, context))
    for (const { value, file, line } of batch) {
      if (rows.has(value.id)) throw duplicate(file, line, value.id);
      rows.set(value.id, rows.size);
      index.add(value.id, documentText(value, options.template));
    }
  const visibleTo = await readVisible(options.visible, rows);
  const seen = new Set<string>();
  for await (const batch of layout.queries({ ...context, documentExtras: async () => new Map() }))
    for (const { value, file, line } of batch) {
      if (signal.aborted) throw abortedError();
      if (seen.has(value.id)) throw duplicate(file, line, value.id);
      seen.add(value.id);
      const visible = visibleTo(value.id, value.visible);
      const { statistics } = options;
      const found = index.search(value.id, value.text, options.k, {
        statistics,
        ...(visible && { visible }),
      });
      write(trecRunLines(found, options.tag));
    }
}

type VisibleRows = (row: number) => boolean;

/** Which rows a query sees: by the file of lists where one was given, else by the list in the query's own row. */
async function readVisible(
  path: string | undefined,
  rows: ReadonlyMap<string, number>,
): Promise<(queryId: string, own: readonly string[] | undefined) => VisibleRows | undefined> {
  const given = path === undefined ? undefined : parseDocumentLists(await localText(path), path);
  return (queryId, own) => {
    // A query that a file of pairs does not name sees nothing, one that a file of lists does not name sees everything.
    const ids = given ? (given.lists.get(queryId) ?? (given.form === 'pairs' ? [] : undefined)) : own;
    if (!ids) return undefined;
    const visible = new Set(ids.map((id) => rows.get(id)));
    return (row) => visible.has(row);
  };
}

function duplicate(file: string, line: number, id: string): AppError {
  return new AppError(
    'input',
    'duplicate-id',
    `${file}, line ${line}: the id "${id}" occurs twice. Ids must be distinct.`,
  );
}

async function tableFile(path: string): Promise<ByteSource> {
  return {
    ...(await localFile(path)),
    size: async () => (await stat(path)).size,
    fingerprint: async () => undefined,
    async slice(from, to) {
      const handle = await open(path);
      try {
        const bytes = new Uint8Array(to - from);
        await handle.read(bytes, 0, bytes.byteLength, from);
        return bytes;
      } finally {
        await handle.close();
      }
    },
  };
}
