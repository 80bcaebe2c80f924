import { AppError } from '../domain/app-error.ts';

/** Appends numbers and bytes; {@link ByteReader} reads them back in the same order. */
export class ByteWriter {
  readonly #bytes: number[] = [];

  byte(value: number): void {
    this.#bytes.push(value & 255);
  }

  bytes(values: Uint8Array): void {
    for (const value of values) this.#bytes.push(value);
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, lowest first. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new RangeError(`varint holds whole numbers from 0, not ${value}`);
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }

  /** A double, little-endian: exact. */
  float64(value: number): void {
    this.bytes(new Uint8Array(new Float64Array([value]).buffer));
  }

  /** UTF-8 with its length in front. A lone surrogate becomes U+FFFD. */
  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.varint(encoded.length);
    this.bytes(encoded);
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Reads what {@link ByteWriter} wrote; every read past the end is an AppError, so that no length in a link is believed. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.bytes(1)[0] as number;
  }

  bytes(length: number): Uint8Array {
    if (length > this.left)
      throw new AppError(
        'link',
        'link-damaged',
        `The link is damaged: it ends ${length - this.left} bytes too early.`,
      );
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      factor *= 128;
    }
    throw new AppError('link', 'link-damaged', 'The link is damaged: it holds a number beyond 2^53.');
  }

  /** Refuses NaN and infinity: no number in a link may be one. */
  float64(): number {
    const value = new Float64Array(this.bytes(8).buffer)[0] as number;
    if (!Number.isFinite(value))
      throw new AppError(
        'link',
        'link-damaged',
        `The link is damaged: it holds ${value} where a number was expected.`,
      );
    return value;
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.varint()));
  }
}
