import { deflateSync, Inflate } from 'fflate';
import { sha256 } from 'hash-wasm';
import { joinBytes } from '../codecs/join-bytes.ts';
import { AppError } from '../domain/app-error.ts';

/** The version byte of the envelopes that this program writes. */
export const ENVELOPE_VERSION = 1;
/** Caps on what is accepted: bytes before and after unpacking. A receipt of 939 queries needs about 2,300 and 8,000. */
export const MAX_PACKED_BYTES = 64 * 1024;
export const MAX_UNPACKED_BYTES = 1024 * 1024;

const CHECKSUM_BYTES = 6;
/** Version, then the length of the deflated part as 3 bytes, big-endian. */
const HEAD_BYTES = 4;

/**
 * Wraps bytes as link text: base64url of version byte, length, deflate-raw, and the first 6 bytes of the SHA-256 of
 * everything before. Only letters, digits, `-` and `_`: nothing that chat clients, mailers or Markdown eat.
 * Inverse: {@link openEnvelope}.
 *
 * @throws AppError when the packed form would exceed {@link MAX_PACKED_BYTES}
 */
export async function sealEnvelope(content: Uint8Array): Promise<string> {
  const packed = deflateSync(content, { level: 9 });
  const total = HEAD_BYTES + packed.length + CHECKSUM_BYTES;
  if (total > MAX_PACKED_BYTES || content.length > MAX_UNPACKED_BYTES) {
    throw new AppError(
      'link',
      'too-large-for-a-link',
      `The result needs ${total} bytes, a link holds ${MAX_PACKED_BYTES}: share the record file.`,
    );
  }
  const bytes = new Uint8Array(total);
  bytes.set([ENVELOPE_VERSION, packed.length >> 16, (packed.length >> 8) & 255, packed.length & 255]);
  bytes.set(packed, HEAD_BYTES);
  bytes.set(await checksumOf(bytes.subarray(0, total - CHECKSUM_BYTES)), total - CHECKSUM_BYTES);
  return toBase64Url(bytes);
}

/**
 * Opens link text. Blanks, line breaks and a trailing full stop or bracket that a mailer added are repaired first.
 * Inverse: {@link sealEnvelope}.
 *
 * @throws AppError `link-incomplete`, `link-altered`, `link-newer`, `link-unreadable` or `link-too-large`, each in words
 */
export async function openEnvelope(text: string): Promise<Uint8Array> {
  const clean = repair(text);
  if (clean.length > (MAX_PACKED_BYTES * 4) / 3 + 4) {
    throw new AppError(
      'link',
      'link-too-large',
      `The link holds ${clean.length} characters, more than any that Assay makes. Ask for the record file.`,
    );
  }
  const bytes = fromBase64Url(clean);
  const version = bytes[0];
  if (version === undefined || bytes.length < HEAD_BYTES) throw incomplete();
  if (version === 0)
    throw new AppError('link', 'link-unreadable', 'This is not a link that Assay made (version byte 0).');
  if (version > ENVELOPE_VERSION) {
    throw new AppError(
      'link',
      'link-newer',
      `The link was made by a newer version of Assay (format ${version}, this page reads up to ${ENVELOPE_VERSION}). Reload the page or open the link where it was made.`,
    );
  }
  const length = ((bytes[1] as number) << 16) | ((bytes[2] as number) << 8) | (bytes[3] as number);
  const total = HEAD_BYTES + length + CHECKSUM_BYTES;
  if (bytes.length < total) throw incomplete();
  const checksum = await checksumOf(bytes.subarray(0, total - CHECKSUM_BYTES));
  const stored = bytes.subarray(total - CHECKSUM_BYTES, total);
  if (bytes.length > total || checksum.some((byte, i) => byte !== stored[i])) {
    throw new AppError(
      'link',
      'link-altered',
      'The link was altered on its way (its checksum does not match): no number in it can be trusted.',
    );
  }
  return inflateCapped(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length));
}

function incomplete(): AppError {
  return new AppError(
    'link',
    'link-incomplete',
    'The link is incomplete: its end was cut off on the way. Copy it again as a whole.',
  );
}

/** Inflates and stops as soon as the cap is passed, so that a bomb costs no more than the cap. */
function inflateCapped(packed: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  let finished = false;
  const inflate = new Inflate((part, final) => {
    parts.push(part);
    size += part.length;
    finished ||= final;
  });
  // A byte of deflate makes at most about 1,032 bytes: small steps keep the overshoot small.
  const step = 512;
  try {
    for (let at = 0; at < packed.length; at += step) {
      inflate.push(packed.subarray(at, at + step), at + step >= packed.length);
      if (size > MAX_UNPACKED_BYTES) {
        throw new AppError(
          'link',
          'link-too-large',
          `The link unpacks to more than ${MAX_UNPACKED_BYTES} bytes and was refused.`,
        );
      }
    }
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    throw new AppError('link', 'link-unreadable', 'The link could not be unpacked.', { cause: thrown });
  }
  if (!finished) throw incomplete();
  return joinBytes(parts, size);
}

/** What mailers and chat clients do to a link, undone. */
function repair(text: string): string {
  return text
    .replace(/%2D/gi, '-')
    .replace(/%5F/gi, '_')
    .replace(/[\s\u00ad\u200b-\u200d\u2060\ufeff]+|%0[AD]|%20/gi, '')
    .replace(/[.,;:!?)\]>}'"*=]+$/, '');
}

async function checksumOf(bytes: Uint8Array): Promise<Uint8Array> {
  const hex = await sha256(bytes);
  return Uint8Array.from({ length: CHECKSUM_BYTES }, (_, i) =>
    Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16),
  );
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array {
  const bad = /[^A-Za-z0-9_-]/.exec(text);
  if (bad !== null) {
    throw new AppError(
      'link',
      'link-unreadable',
      `The link holds ${JSON.stringify(bad[0])} at character ${bad.index + 1}, which no Assay link does. Copy it again.`,
    );
  }
  // One leftover character holds less than a byte: something was cut.
  if (text.length % 4 === 1) throw incomplete();
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
}
