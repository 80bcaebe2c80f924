import { describe, expect, it } from 'vitest';
import { writeNpy } from '../../src/codecs/npy.ts';
import { BlobSource } from '../../src/sources/blob-source.ts';
import {
  arrangeVectors,
  assignTables,
  readVectorTables,
  type VectorTable,
} from '../../src/sources/imported-vectors.ts';

const table = (values: number[][], ids?: string[]): VectorTable => ({
  name: 'V.npy',
  matrix: { rows: values.length, columns: values[0]?.length ?? 0, values: Float32Array.from(values.flat()) },
  ...(ids && { ids }),
});

describe('imported vectors', () => {
  it('are read from .npy', async () => {
    const bytes = writeNpy({ rows: 2, columns: 3, values: Float32Array.of(1, 2, 3, 4, 5, 6) });
    const [read] = await readVectorTables(new BlobSource('V.npy', new Blob([bytes])));
    expect(read?.matrix).toMatchObject({ rows: 2, columns: 3 });
    expect([...(read?.matrix.values ?? [])]).toEqual([1, 2, 3, 4, 5, 6]);
    await expect(readVectorTables(new BlobSource('V.pkl', new Blob([bytes])))).rejects.toThrow(
      /neither \.npy/,
    );
  });

  it('are put in the order of the ids, or taken row by row', () => {
    const byId = arrangeVectors(
      table(
        [
          [1, 0],
          [0, 2],
          [3, 4],
        ],
        ['a', 'b', 'c'],
      ),
      ['c', 'a'],
    );
    expect([...byId.values]).toEqual([3, 4, 1, 0]);
    expect(byId).toMatchObject({ rows: 2, dimensions: 2, unknownIds: 1, zeroRows: 0, norms: [1, 5] });
    const byRow = arrangeVectors(
      table([
        [0, 0],
        [0, 2],
      ]),
      ['x', 'y'],
    );
    expect(byRow).toMatchObject({ zeroRows: 1, norms: [2, 2], unknownIds: 0 });
  });

  it('that do not fit are refused with name, row and id', () => {
    expect(() => arrangeVectors(table([[1], [2]]), ['a'])).toThrow(/V\.npy has 2 rows and no ids; 1 belong/);
    expect(() => arrangeVectors(table([[1]], ['a']), ['a', 'b'])).toThrow(
      /no vector for "b" \(row 1 of the set\)/,
    );
    expect(() => arrangeVectors(table([[1], [2]], ['a', 'a']), ['a'])).toThrow(
      /two vectors for "a" \(row 1\)/,
    );
    expect(() =>
      arrangeVectors(
        table([
          [1, 2],
          [1, NaN],
        ]),
        ['a', 'b'],
      ),
    ).toThrow(/row 1 \("b"\), holds NaN/);
    expect(() => arrangeVectors(table([[Infinity]]), ['a'])).toThrow(/row 0 \("a"\), holds NaN or infinity/);
  });

  it('of documents and queries are told apart by their row counts', () => {
    const documents = table([[1], [2], [3]]);
    const queries = table([[1], [2]]);
    expect(assignTables([queries, documents], { documents: 3, queries: 2 })).toEqual({ documents, queries });
    expect(() => assignTables([documents], { documents: 3, queries: 2 })).toThrow(/no matrices have 2 rows/);
    expect(() => assignTables([queries, queries], { documents: 2, queries: 2 })).toThrow(/equally many/);
  });
});
