import { AppError } from '../domain/app-error.ts';
import { nearNames } from '../domain/near-names.ts';
import type { Protocol } from './protocol.ts';
import { SETTINGS, type ProtocolSettings } from './settings.ts';

/** Some settings of a protocol, to be flipped. */
export type ProtocolChanges = Partial<ProtocolSettings>;

/** Returns the protocol with some settings flipped; `changed` names those that now differ from the declared protocol. */
export function changeProtocol(protocol: Protocol, changes: ProtocolChanges): Protocol {
  const settings = { ...protocol.settings, ...changes };
  const changed = (Object.keys(SETTINGS) as (keyof ProtocolSettings)[]).filter(
    (field) =>
      protocol.changed.includes(field) ||
      JSON.stringify(settings[field]) !== JSON.stringify(protocol.settings[field]),
  );
  return {
    ...protocol,
    settings,
    changed,
    reasons: protocol.reasons.filter(({ field }) => !changed.includes(field)),
  };
}

/** Reads a change such as `scorePrecision=float32`. Throws AppError `bad-setting` with what is allowed. */
export function parseChange(text: string): ProtocolChanges {
  const at = text.indexOf('=');
  if (at < 0) throw bad(text, 'write field=value, e.g. scorePrecision=float32');
  const field = text.slice(0, at) as keyof ProtocolSettings;
  const value = text.slice(at + 1);
  if (!Object.hasOwn(SETTINGS, field)) {
    const fields = Object.keys(SETTINGS);
    const near = nearNames(field, fields);
    throw bad(
      text,
      `there is no setting "${field}"; ${near.length > 0 ? `near ones: ${near.join(', ')}` : `known: ${fields.join(', ')}`}`,
    );
  }
  if (field === 'measures') throw bad(text, 'measures have an option of their own');
  const { choices } = SETTINGS[field];
  if (value !== 'number' && Object.hasOwn(choices, value)) return { [field]: value };
  if (Object.hasOwn(choices, 'number') && /^[1-9][0-9]{0,8}$/u.test(value)) return { [field]: Number(value) };
  const allowed = Object.keys(choices).map((choice) =>
    choice === 'number' ? 'a whole number from 1' : choice,
  );
  throw bad(text, `${field} is one of: ${allowed.join(', ')}`);
}

function bad(text: string, why: string): AppError {
  return new AppError('input', 'bad-setting', `"${text}" changes no protocol: ${why}.`);
}
