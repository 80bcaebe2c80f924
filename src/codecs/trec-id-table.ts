import { decodeStrictly } from './trec-fields.ts';

const NONE = -1;

/**
 * Ids by their bytes: each id becomes one number and one text, however often a file repeats it, and repeats cost a hash instead of a
 * decoding. Open addressing over a growing store of bytes.
 */
export class IdTable {
  readonly #ids: string[] = [];
  #bytes = new Uint8Array(1 << 16);
  #used = 0;
  #last = NONE;
  #ends = new Float64Array(1 << 10);
  #slots = new Int32Array(1 << 11).fill(NONE);

  /** Every id so far, by its index. Grows while reading. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** The index in `ids` of the id at `start` to `end`; -1 where the bytes are no id: not UTF-8, or with a NUL. */
  indexOf(bytes: Uint8Array, start: number, end: number): number {
    // In the first column of a run one query fills many lines.
    if (this.#last !== NONE && this.#equals(this.#last, bytes, start, end)) return this.#last;
    const slot = this.#slotOf(bytes, start, end);
    const known = this.#slots[slot] as number;
    if (known !== NONE) return (this.#last = known);
    const text = decodeStrictly(bytes.subarray(start, end));
    if (text === null || text.includes('\0')) return NONE;
    return (this.#last = this.#keep(bytes, start, end, text, slot));
  }

  /** The slot that holds these bytes, or the free one where they belong. */
  #slotOf(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(bytes, start, end) & mask;
    for (;;) {
      const index = this.#slots[slot] as number;
      if (index === NONE || this.#equals(index, bytes, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #equals(index: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#startOf(index);
    const length = end - start;
    if ((this.#ends[index] as number) - from !== length) return false;
    const kept = this.#bytes;
    for (let i = 0; i < length; i++) if (kept[from + i] !== bytes[start + i]) return false;
    return true;
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] as number);
  }

  #keep(bytes: Uint8Array, start: number, end: number, text: string, slot: number): number {
    const length = end - start;
    if (this.#used + length > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + length));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#used);
    this.#used += length;
    const index = this.#ids.length;
    this.#ids.push(text);
    if (index === this.#ends.length) {
      const longer = new Float64Array(index * 2);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#ends[index] = this.#used;
    this.#slots[slot] = index;
    if (this.#ids.length * 2 > this.#slots.length) this.#grow();
    return index;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    const mask = slots.length - 1;
    for (let index = 0; index < this.#ids.length; index++) {
      let slot = hashOf(this.#bytes, this.#startOf(index), this.#ends[index] as number) & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = index;
    }
    this.#slots = slots;
  }
}

/** FNV-1a over bytes, with a last mixing so that low bits depend on all of them. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
