import type { ByteSource } from '../../src/codecs/byte-source.ts';

/** A source in memory that gives its bytes in pieces of a size, and counts the parts that were asked for. */
export function memorySource(name: string, bytes: Uint8Array, pieceBytes = 1000) {
  const slices: [number, number][] = [];
  const source: ByteSource = {
    name,
    size: () => Promise.resolve(bytes.byteLength),
    fingerprint: () => Promise.resolve(undefined),
    slice(from, to) {
      slices.push([from, to]);
      return Promise.resolve(bytes.slice(from, to));
    },
    async *stream(from) {
      for (let at = from; at < bytes.byteLength; at += pieceBytes)
        yield await Promise.resolve(bytes.slice(at, at + pieceBytes));
    },
  };
  return { source, slices };
}

/** All values of a reader's rows, as plain objects. */
export async function valuesOf(
  rows: AsyncIterable<readonly { readonly value: object }[]>,
): Promise<Record<string, unknown>[]> {
  const values: Record<string, unknown>[] = [];
  for await (const batch of rows)
    for (const { value } of batch)
      values.push(Object.fromEntries(Object.entries(value)) as Record<string, unknown>);
  return values;
}
