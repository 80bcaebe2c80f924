import { AppError } from '../domain/app-error.ts';
import { nearNames } from '../domain/near-names.ts';
import { BEIR } from './beir.ts';
import { COIR } from './coir.ts';
import { CORE_BENCH } from './core-bench.ts';
import { COREB_MTEB } from './coreb-mteb.ts';
import { COREB_PAPER } from './coreb-paper.ts';
import { COREB_RUNNER } from './coreb-runner.ts';
import { EXECRETRIEVAL } from './execretrieval.ts';
import { MTEB } from './mteb.ts';
import type { Protocol } from './protocol.ts';
import { TREC } from './trec.ts';

/** Every protocol; the first is used where none is named. A new one is one file and one line here. */
export const PROTOCOLS: readonly Protocol[] = [
  TREC,
  MTEB,
  COIR,
  BEIR,
  COREB_PAPER,
  COREB_RUNNER,
  COREB_MTEB,
  EXECRETRIEVAL,
  CORE_BENCH,
];

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
