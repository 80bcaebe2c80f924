import canonicalize from 'canonicalize';
import { sha256 } from 'hash-wasm';

/** Lower-case hexadecimal SHA-256. */
export type Digest = string;

/** Returns the RFC 8785 form of a JSON value: one spelling for one value, so that digests agree everywhere. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined)
    throw new TypeError('canonicalJson: the value has no JSON form (undefined or a function)');
  return text;
}

/** SHA-256 of bytes or of a text's UTF-8. hash-wasm, since crypto.subtle is missing on plain http. */
export function digestOf(data: string | Uint8Array): Promise<Digest> {
  return sha256(data);
}

/** SHA-256 of a value's canonical JSON. */
export function digestOfJson(value: unknown): Promise<Digest> {
  return sha256(canonicalJson(value));
}
