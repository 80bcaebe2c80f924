import type { Bench } from './bench.ts';
import { construct } from './construct.ts';
import { encode } from './encode.ts';
import { judge } from './judge.ts';
import { metrics } from './metrics.ts';
import { search } from './search.ts';
import { start } from './start.ts';
import { store } from './store.ts';

/** Every benchmark that `assay bench` knows: one file and one line each. */
export const BENCHES: readonly Bench[] = [construct, encode, judge, metrics, search, start, store];
