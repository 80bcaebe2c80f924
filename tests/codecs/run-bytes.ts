import type { NamedBytes } from '../../src/codecs/trec-lines.ts';

/** A file made of text or bytes, delivered in pieces of `pieceBytes`. */
export function fileOf(content: string | Uint8Array, name = 'file', pieceBytes = Infinity): NamedBytes {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    name,
    async *stream(from) {
      for (let at = from; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  };
}
