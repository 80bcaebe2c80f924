import { AppError } from '../domain/app-error.ts';

/** What a packed section may hold. */
export type SectionValue =
  readonly string[] | Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

const ARRAY_TYPES = {
  u8: Uint8Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type ArrayType = keyof typeof ARRAY_TYPES;

interface SectionHead {
  readonly name: string;
  readonly type: ArrayType | 'strings';
  /** Bytes of the section without padding. */
  readonly bytes: number;
}

interface PackedHead {
  readonly sections: readonly SectionHead[];
  readonly values: Readonly<Record<string, number>>;
}

const FORMAT = 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns named columns and numbers as one stretch of bytes: format number and head length (two uint32), the head as
 * JSON, then each section, everything aligned to 8 bytes and little-endian. Strings are stored as UTF-16 lengths and
 * one joined UTF-8 text, so that thousands of them decode in one go. Inverse: {@link unpack}.
 */
export function pack(
  columns: Readonly<Record<string, SectionValue | undefined>>,
  values: Readonly<Record<string, number>> = {},
): Uint8Array {
  const sections: { head: SectionHead; bytes: Uint8Array }[] = [];
  for (const [name, column] of Object.entries(columns)) {
    if (column === undefined) continue;
    const bytes = ArrayBuffer.isView(column) ? bytesOf(column) : packStrings(column as readonly string[]);
    const type = ArrayBuffer.isView(column)
      ? typeOf(column as Exclude<SectionValue, readonly string[]>)
      : 'strings';
    sections.push({ head: { name, type, bytes: bytes.byteLength }, bytes });
  }
  const head: PackedHead = { sections: sections.map((section) => section.head), values };
  const headBytes = encoder.encode(JSON.stringify(head));
  const start = align(8 + headBytes.byteLength);
  const total = sections.reduce((sum, { bytes }) => sum + align(bytes.byteLength), start);
  const packed = new Uint8Array(total);
  new DataView(packed.buffer).setUint32(0, FORMAT, true);
  new DataView(packed.buffer).setUint32(4, headBytes.byteLength, true);
  packed.set(headBytes, 8);
  let offset = start;
  for (const { bytes } of sections) {
    packed.set(bytes, offset);
    offset += align(bytes.byteLength);
  }
  return packed;
}

/** The columns and numbers of a packed block. */
export interface Unpacked {
  readonly values: Readonly<Record<string, number>>;
  strings(name: string): readonly string[] | undefined;
  u8(name: string): Uint8Array;
  i32(name: string): Int32Array;
  u32(name: string): Uint32Array;
  f32(name: string): Float32Array;
  f64(name: string): Float64Array;
}

/** Reads packed bytes; arrays are views on them, not copies. Inverse: {@link pack}. Errors: `block-format`. */
export function unpack(packed: Uint8Array): Unpacked {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.byteLength < 8 || view.getUint32(0, true) !== FORMAT)
    throw new AppError(
      'store',
      'block-format',
      'A stored block has a format that this version does not know.',
    );
  const headLength = view.getUint32(4, true);
  const head = JSON.parse(decoder.decode(packed.subarray(8, 8 + headLength))) as PackedHead;
  const places = new Map<string, { head: SectionHead; offset: number }>();
  let offset = align(8 + headLength);
  for (const section of head.sections) {
    places.set(section.name, { head: section, offset });
    offset += align(section.bytes);
  }
  const bytesAt = (name: string, type: SectionHead['type']): Uint8Array => {
    const place = places.get(name);
    if (place === undefined || place.head.type !== type)
      throw new AppError('store', 'block-format', `A stored block has no section "${name}" of type ${type}.`);
    return packed.subarray(place.offset, place.offset + place.head.bytes);
  };
  return {
    values: head.values,
    strings: (name) => (places.has(name) ? unpackStrings(bytesAt(name, 'strings')) : undefined),
    u8: (name) => bytesAt(name, 'u8'),
    i32: (name) => typed(Int32Array, bytesAt(name, 'i32')),
    u32: (name) => typed(Uint32Array, bytesAt(name, 'u32')),
    f32: (name) => typed(Float32Array, bytesAt(name, 'f32')),
    f64: (name) => typed(Float64Array, bytesAt(name, 'f64')),
  };
}

function packStrings(strings: readonly string[]): Uint8Array {
  const lengths = Uint32Array.from(strings, (text) => text.length);
  const text = encoder.encode(strings.join(''));
  const packed = new Uint8Array(4 + lengths.byteLength + text.byteLength);
  new DataView(packed.buffer).setUint32(0, strings.length, true);
  packed.set(bytesOf(lengths), 4);
  packed.set(text, 4 + lengths.byteLength);
  return packed;
}

function unpackStrings(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(0, true);
  const joined = decoder.decode(bytes.subarray(4 + 4 * count));
  const strings = new Array<string>(count);
  let from = 0;
  for (let i = 0; i < count; i++) {
    const to = from + view.getUint32(4 + 4 * i, true);
    strings[i] = joined.slice(from, to);
    from = to;
  }
  return strings;
}

function typeOf(array: Exclude<SectionValue, readonly string[]>): ArrayType {
  for (const [type, constructor] of Object.entries(ARRAY_TYPES)) {
    if (array instanceof constructor) return type as ArrayType;
  }
  throw new TypeError('pack: not a known typed array');
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

type NumberArrayConstructor<A> = {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
};

function typed<A>(constructor: NumberArrayConstructor<A>, bytes: Uint8Array): A {
  const size = constructor.BYTES_PER_ELEMENT;
  const length = bytes.byteLength / size;
  // Sections are aligned within the block; a block that is itself a view at an odd place has to be copied.
  if (bytes.byteOffset % size === 0) return new constructor(bytes.buffer, bytes.byteOffset, length);
  return new constructor(bytes.slice().buffer, 0, length);
}

function align(bytes: number): number {
  return (bytes + 7) & ~7;
}
