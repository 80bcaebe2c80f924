import { AppError } from '../domain/app-error.ts';
import { ByteReader, ByteWriter } from './byte-stream.ts';
import { readGradedReceipt, writeGradedReceipt, type GradedReceipt } from './graded-receipt.ts';
import { readReceipt, writeReceipt, type Receipt } from './receipt.ts';
import { readSummary, writeSummary, type Summary } from './summary.ts';

/** Everything that a link can carry. */
export type Payload = Receipt | GradedReceipt | Summary;

/** The first byte of a payload. A number is never given to another kind. */
const KINDS = { execution: 1, graded: 2, summary: 3 } as const;

/** Packs what a link carries into bytes. Inverse: {@link unpackPayload}. */
export function packPayload(payload: Payload): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(KINDS[payload.kind]);
  switch (payload.kind) {
    case 'execution':
      writeReceipt(writer, payload);
      break;
    case 'graded':
      writeGradedReceipt(writer, payload);
      break;
    case 'summary':
      writeSummary(writer, payload);
  }
  return writer.finish();
}

/**
 * Reads a payload from bytes. Inverse: {@link packPayload}.
 *
 * @throws AppError naming what is damaged, or `link-newer` for a kind that this version does not know
 */
export function unpackPayload(bytes: Uint8Array): Payload {
  const reader = new ByteReader(bytes);
  const payload = readKind(reader.byte(), reader);
  if (reader.left > 0)
    throw new AppError('link', 'link-damaged', `The link is damaged: ${reader.left} bytes are left over.`);
  return payload;
}

function readKind(kind: number, reader: ByteReader): Payload {
  switch (kind) {
    case KINDS.execution:
      return readReceipt(reader);
    case KINDS.graded:
      return readGradedReceipt(reader);
    case KINDS.summary:
      return readSummary(reader);
    default:
      throw new AppError(
        'link',
        'link-newer',
        `The link holds a kind of result (${kind}) that this version of Assay does not know. Reload the page for a newer version.`,
      );
  }
}
