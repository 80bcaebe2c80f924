import type { PaperClaims } from './claim.ts';
import { coreBenchClaims } from './core-bench.ts';
import { corebClaims } from './coreb.ts';
import { execretrievalClaims } from './execretrieval.ts';

/** The papers whose numbers are declared; a new one is one file and one line here. */
export const PAPERS: readonly PaperClaims[] = [execretrievalClaims, corebClaims, coreBenchClaims];
