import { canonicalJson, digestOfJson, type Digest } from '../domain/digest.ts';
import type { Protocol } from './protocol.ts';
import { SETTINGS, type ProtocolSettings } from './settings.ts';

/** Changes whenever a setting is added, removed or means something else, so that old digests do not match by accident. */
const SETTINGS_VERSION = 1;

/** SHA-256 over the canonical JSON of a protocol's settings: same settings, same digest, whatever the protocol is called. */
export function digestOfProtocol(protocol: Protocol): Promise<Digest> {
  return digestOfJson({ version: SETTINGS_VERSION, settings: protocol.settings });
}

/** One setting in which two protocols differ. */
export interface ProtocolDifference {
  readonly field: keyof ProtocolSettings;
  readonly title: string;
  /** Value in the first protocol and in the second. */
  readonly a: ProtocolSettings[keyof ProtocolSettings];
  readonly b: ProtocolSettings[keyof ProtocolSettings];
  /** The difference as one sentence with both reasons. */
  readonly words: string;
}

/** Returns the settings in which two protocols differ, in the order in which they act; empty when both give the same numbers. */
export function explainDifferences(a: Protocol, b: Protocol): ProtocolDifference[] {
  const fields = Object.keys(SETTINGS) as (keyof ProtocolSettings)[];
  return fields
    .filter((field) => canonicalJson(a.settings[field]) !== canonicalJson(b.settings[field]))
    .map((field) => ({
      field,
      title: SETTINGS[field].title,
      a: a.settings[field],
      b: b.settings[field],
      words:
        `${SETTINGS[field].title} (${SETTINGS[field].meaning}): ` +
        `${nameOf(a)} takes ${valueInWords(a, field)}, because ${reasonFor(a, field)}; ` +
        `${nameOf(b)} takes ${valueInWords(b, field)}, because ${reasonFor(b, field)}.`,
    }));
}

/** The name of a protocol with what was flipped, e.g. `trec (scorePrecision=float32)`. */
export function nameOf(protocol: Protocol): string {
  if (protocol.changed.length === 0) return protocol.id;
  const flipped = protocol.changed.map((field) => `${field}=${String(protocol.settings[field])}`);
  return `${protocol.id} (${flipped.join(', ')})`;
}

/** A protocol's value of a setting, in words. */
export function valueInWords(protocol: Protocol, field: keyof ProtocolSettings): string {
  const value = protocol.settings[field];
  if (field === 'measures') return (value as readonly string[]).join(', ');
  const choices = SETTINGS[field].choices;
  if (typeof value === 'number') return `${value} (${choices['number'] ?? 'a number'})`;
  return `"${value as string}" (${choices[value as string] ?? 'unknown'})`;
}

/** Why a protocol has its value of a setting. */
export function reasonFor(protocol: Protocol, field: keyof ProtocolSettings): string {
  if (protocol.changed.includes(field)) return 'it was changed by hand';
  return protocol.reasons.find((reason) => reason.field === field)?.reason ?? SETTINGS[field].reason;
}
