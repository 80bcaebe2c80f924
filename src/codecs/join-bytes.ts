/** Returns pieces of bytes as one. @param bytes sum of the pieces' lengths, which every caller has counted already */
export function joinBytes(pieces: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
