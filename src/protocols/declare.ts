import { SETTINGS, type ProtocolSettings } from './settings.ts';
import type { Protocol } from './protocol.ts';

/** A setting with the reason for it. */
export type Chosen<Field extends keyof ProtocolSettings> = {
  readonly value: ProtocolSettings[Field];
  readonly reason: string;
};

/** What a protocol's file declares: the choices that differ from the defaults, each with its reason. */
export interface ProtocolDeclaration {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly source: string;
  readonly chosen: { readonly [Field in keyof ProtocolSettings]?: Chosen<Field> };
  readonly deviations?: readonly string[];
}

/** Returns the protocol of a declaration: defaults filled in, reasons in the order of the settings. */
export function declareProtocol(declaration: ProtocolDeclaration): Protocol {
  const { id, title, about, source, chosen, deviations = [] } = declaration;
  const fields = Object.keys(SETTINGS) as (keyof ProtocolSettings)[];
  const settings = Object.fromEntries(
    fields.map((field) => [field, chosen[field]?.value ?? SETTINGS[field].fallback]),
  ) as unknown as ProtocolSettings;
  const reasons = fields.flatMap((field) => {
    const choice = chosen[field];
    return choice === undefined ? [] : [{ field, reason: choice.reason }];
  });
  return { id, title, about, source, settings, reasons, deviations, changed: [] };
}
