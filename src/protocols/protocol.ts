import type { ProtocolSettings } from './settings.ts';

/** A setting that a protocol chose against the default, or by which a changed protocol differs from its origin. */
export interface ProtocolReason {
  readonly field: keyof ProtocolSettings;
  readonly reason: string;
}

/**
 * How a benchmark is scored, as declared data: every choice that moves a number. Two protocols with the same settings
 * give the same numbers whatever they are called; `digestOfProtocol` sees the settings alone.
 */
export interface Protocol {
  /** Unique, what `--protocol` takes and records say. */
  readonly id: string;
  readonly title: string;
  /** One sentence: whose numbers it reproduces. */
  readonly about: string;
  /** Where the choices were read. */
  readonly source: string;
  readonly settings: ProtocolSettings;
  /** Why settings differ from the default. */
  readonly reasons: readonly ProtocolReason[];
  /** What the original does that no setting covers, and what is done instead. */
  readonly deviations: readonly string[];
  /** Fields that the user flipped, in the order of the settings; empty for a protocol as declared. */
  readonly changed: readonly (keyof ProtocolSettings)[];
}
