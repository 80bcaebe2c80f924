const EMPTY = 0;
const FIRST_CAPACITY = 1024;
/** Random for each page, so that nobody can prepare ids that collide. */
const SEED = crypto.getRandomValues(new Uint32Array(2));

/**
 * From ids to rows in 12 bytes an id (plus free room), whatever their length: a million ids take 25 MB, where a Map of
 * texts takes 100. It keeps 64-bit hashes, not the ids: a hit is wrong once in about 10^13 look-ups against a million
 * ids. Where that is not good enough (refusing a file for a duplicate) the caller compares the ids of the two rows.
 */
export class IdIndex {
  #capacity = FIRST_CAPACITY;
  #low = new Uint32Array(FIRST_CAPACITY);
  #high = new Uint32Array(FIRST_CAPACITY);
  /** Row + 1; 0 marks a free place. */
  #rows = new Uint32Array(FIRST_CAPACITY);
  #size = 0;

  /** Number of ids. */
  get size(): number {
    return this.#size;
  }

  /** Notes an id with its row; returns the row of an id that was there already (which stays), else undefined. */
  add(id: string, row: number): number | undefined {
    if (this.#size * 10 >= this.#capacity * 7) this.#grow();
    const [low, high] = hash(id);
    const place = this.#placeOf(low, high);
    const known = this.#rows[place] as number;
    if (known !== EMPTY) return known - 1;
    this.#set(place, low, high, row + 1);
    this.#size++;
    return undefined;
  }

  /** The row of an id, or undefined. */
  rowOf(id: string): number | undefined {
    const [low, high] = hash(id);
    const row = this.#rows[this.#placeOf(low, high)] as number;
    return row === EMPTY ? undefined : row - 1;
  }

  #placeOf(low: number, high: number): number {
    const mask = this.#capacity - 1;
    let place = low & mask;
    while (this.#rows[place] !== EMPTY && (this.#low[place] !== low || this.#high[place] !== high))
      place = (place + 1) & mask;
    return place;
  }

  #set(place: number, low: number, high: number, row: number): void {
    this.#low[place] = low;
    this.#high[place] = high;
    this.#rows[place] = row;
  }

  #grow(): void {
    const [low, high, rows] = [this.#low, this.#high, this.#rows];
    this.#capacity *= 2;
    this.#low = new Uint32Array(this.#capacity);
    this.#high = new Uint32Array(this.#capacity);
    this.#rows = new Uint32Array(this.#capacity);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (row === EMPTY) continue;
      const [l, h] = [low[i] as number, high[i] as number];
      this.#set(this.#placeOf(l, h), l, h, row);
    }
  }
}

/** Two 32-bit hashes of a text's UTF-16 units (the mixing of cyrb53, seeded). */
function hash(text: string): readonly [low: number, high: number] {
  let h1 = 0xdeadbeef ^ (SEED[0] as number);
  let h2 = 0x41c6ce57 ^ (SEED[1] as number);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ unit, 2654435761);
    h2 = Math.imul(h2 ^ unit, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return [h1 >>> 0, h2 >>> 0];
}
