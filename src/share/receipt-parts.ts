import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import type { ByteReader, ByteWriter } from './byte-stream.ts';

/** The digests that a receipt carries, in the order in which they are written. */
export const RECEIPT_DIGESTS = ['benchmark', 'model', 'protocol', 'rankings', 'record'] as const;
export type ReceiptDigests = Readonly<Record<(typeof RECEIPT_DIGESTS)[number], string>>;

/** Writes the digests, 32 bytes each; inverse: {@link readDigests}. Throws AppError `bad-digest` for anything but a SHA-256. */
export function writeDigests(writer: ByteWriter, digests: ReceiptDigests): void {
  for (const name of RECEIPT_DIGESTS) writer.bytes(fromHex(digests[name]));
}

/** Reads what {@link writeDigests} wrote. */
export function readDigests(reader: ByteReader): ReceiptDigests {
  return Object.fromEntries(RECEIPT_DIGESTS.map((name) => [name, toHex(reader.bytes(32))])) as ReceiptDigests;
}

/**
 * Reads a text of JSON and checks it against a schema.
 *
 * @throws AppError `link-damaged` naming the member
 */
export function readManifest<S extends v.GenericSchema>(reader: ByteReader, schema: S): v.InferOutput<S> {
  const text = reader.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new AppError('link', 'link-damaged', 'The link is damaged: its manifest is not JSON.', {
      cause: thrown,
    });
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new AppError(
    'link',
    'link-damaged',
    `The link is damaged at ${v.getDotPath(issue) ?? 'its manifest'}: ${issue.message}.`,
  );
}

function fromHex(hex: string): Uint8Array {
  if (!/^[0-9a-f]{64}$/.test(hex))
    throw new AppError(
      'link',
      'bad-digest',
      `${JSON.stringify(hex)} is not a SHA-256 in hexadecimal digits.`,
    );
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
