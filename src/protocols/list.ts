import { AppError } from '../domain/app-error.ts';
import { nearNames } from '../domain/near-names.ts';
import { EXECRETRIEVAL } from './execretrieval.ts';
import type { Protocol } from './protocol.ts';

/** Every protocol. A new one is one file and one line here. */
export const PROTOCOLS: readonly Protocol[] = [EXECRETRIEVAL];

/** Returns the protocol with this id. Throws AppError `unknown-protocol` with the near ones. */
export function findProtocol(id: string): Protocol {
  const found = PROTOCOLS.find((protocol) => protocol.id === id);
  if (found !== undefined) return found;
  const ids = PROTOCOLS.map((protocol) => protocol.id);
  const near = nearNames(id, ids);
  throw new AppError(
    'score',
    'unknown-protocol',
    `There is no protocol "${id}". ${near.length > 0 ? `Near ones: ${near.join(', ')}.` : `Known: ${ids.join(', ')}.`}`,
  );
}
