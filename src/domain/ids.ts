/**
 * Compares two ids by their UTF-8 bytes: negative when `a` comes first, 0 when equal.
 * UTF-8 byte order is code-point order; JavaScript's `<` is UTF-16 order, which differs as soon as one id holds a
 * character beyond U+FFFF and the other one in U+E000..U+FFFF. A lone surrogate counts as the code point it names.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return fixUp(x) - fixUp(y);
  }
  return a.length - b.length;
}

/** Moves surrogates above U+E000..U+FFFF, which turns the order of UTF-16 units into that of code points. */
function fixUp(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  if (unit >= 0xd800) return unit + 0x2000;
  return unit;
}
