import type { ExecutionTask, SetKind, SetShapes } from '../contracts/blocks.ts';
import type { Verdict } from '../domain/verdict.ts';
import { pack, unpack } from './packing.ts';

/** A block as bytes. `ids` is kept apart where ids are wanted without texts. */
export interface PackedBlock {
  readonly content: Uint8Array;
  readonly ids?: Uint8Array;
  readonly rows: number;
}

interface Packer<B> {
  pack(block: B): PackedBlock;
  unpack(content: Uint8Array, ids: Uint8Array | undefined): B;
}

const packers: { readonly [K in SetKind]: Packer<SetShapes[K]['block']> } = {
  documents: {
    pack: ({ ids, texts, titles, languages, extras }) => ({
      content: pack({ texts, titles, languages, extras }),
      ids: pack({ ids }),
      rows: ids.length,
    }),
    unpack(content, ids) {
      const columns = unpack(content);
      return {
        ids: unpackIds(ids),
        texts: columns.strings('texts') ?? [],
        ...optional('titles', columns.strings('titles')),
        ...optional('languages', columns.strings('languages')),
        ...optional('extras', columns.strings('extras')),
      };
    },
  },
  queries: {
    pack: ({ ids, texts, extras }) => ({
      content: pack({ texts, extras }),
      ids: pack({ ids }),
      rows: ids.length,
    }),
    unpack(content, ids) {
      const columns = unpack(content);
      return {
        ids: unpackIds(ids),
        texts: columns.strings('texts') ?? [],
        ...optional('extras', columns.strings('extras')),
      };
    },
  },
  qrels: {
    pack: ({ queryIds, documentIds, grades }) => ({
      content: pack({ queryIds, documentIds, grades }),
      rows: queryIds.length,
    }),
    unpack(content) {
      const columns = unpack(content);
      return {
        queryIds: columns.strings('queryIds') ?? [],
        documentIds: columns.strings('documentIds') ?? [],
        grades: columns.i32('grades'),
      };
    },
  },
  visibility: {
    pack: ({ queryIds, bytesPerQuery, bitmaps }) => ({
      content: pack({ queryIds, bitmaps }, { bytesPerQuery }),
      rows: queryIds.length,
    }),
    unpack(content) {
      const columns = unpack(content);
      return {
        queryIds: columns.strings('queryIds') ?? [],
        bytesPerQuery: columns.values['bytesPerQuery'] ?? 0,
        bitmaps: columns.u8('bitmaps'),
      };
    },
  },
  execution: {
    pack: ({ tasks }) => ({
      content: pack({ tasks: tasks.map((task) => JSON.stringify(task)) }),
      rows: tasks.length,
    }),
    unpack: (content) => ({
      tasks: (unpack(content).strings('tasks') ?? []).map((task) => JSON.parse(task) as ExecutionTask),
    }),
  },
  vectors: {
    pack: ({ firstRow, rows, dimensions, values }) => ({
      content: pack({ values }, { firstRow, rows, dimensions }),
      rows,
    }),
    unpack(content) {
      const { values, f32 } = unpack(content);
      return {
        firstRow: values['firstRow'] ?? 0,
        rows: values['rows'] ?? 0,
        dimensions: values['dimensions'] ?? 0,
        values: f32('values'),
      };
    },
  },
  verdicts: {
    pack: ({ codeDigests, suiteDigests, verdicts, tests }) => ({
      content: pack({ codeDigests, suiteDigests, verdicts, tests }),
      rows: verdicts.length,
    }),
    unpack(content) {
      const columns = unpack(content);
      return {
        codeDigests: columns.strings('codeDigests') ?? [],
        suiteDigests: columns.strings('suiteDigests') ?? [],
        verdicts: (columns.strings('verdicts') ?? []) as Verdict[],
        ...optional('tests', columns.strings('tests')),
      };
    },
  },
  file: {
    // A file's bytes are stored as they are: its digest is then that of the bytes.
    pack: ({ bytes }) => ({ content: bytes, rows: bytes.byteLength }),
    unpack: (content) => ({ bytes: content }),
  },
  rankings: {
    pack: ({ queryIds, offsets, documentIds, scores }) => ({
      content: pack({ queryIds, offsets, documentIds, scores }),
      rows: queryIds.length,
    }),
    unpack(content) {
      const columns = unpack(content);
      return {
        queryIds: columns.strings('queryIds') ?? [],
        offsets: columns.u32('offsets'),
        documentIds: columns.strings('documentIds') ?? [],
        scores: columns.f64('scores'),
      };
    },
  },
};

/** Returns a block as bytes. Inverse: {@link unpackBlock}. */
export function packBlock<K extends SetKind>(kind: K, block: SetShapes[K]['block']): PackedBlock {
  return (packers[kind] as Packer<SetShapes[K]['block']>).pack(block);
}

/** Returns the block that bytes hold; typed arrays are views on them. Inverse: {@link packBlock}. */
export function unpackBlock<K extends SetKind>(
  kind: K,
  content: Uint8Array,
  ids: Uint8Array | undefined,
): SetShapes[K]['block'] {
  return (packers[kind] as Packer<SetShapes[K]['block']>).unpack(content, ids);
}

/** Returns the ids of a packed ids part. */
export function unpackIds(ids: Uint8Array | undefined): readonly string[] {
  return ids === undefined ? [] : (unpack(ids).strings('ids') ?? []);
}

function optional<N extends string>(
  name: N,
  value: readonly string[] | undefined,
): { [key in N]?: readonly string[] } {
  return (value === undefined ? {} : { [name]: value }) as { [key in N]?: readonly string[] };
}
