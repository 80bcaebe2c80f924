import type { Command } from 'commander';
import { register as bench } from './bench.ts';
import { register as bm25 } from './bm25.ts';
import { register as compare } from './compare.ts';
import { register as construct } from './construct.ts';
import { register as encode } from './encode.ts';
import { register as evaluate } from './evaluate.ts';
import { register as execScore } from './exec-score.ts';
import { register as exportResults } from './export.ts';
import { register as judge } from './judge.ts';
import { register as reproduce } from './reproduce.ts';
import { register as score } from './score.ts';
import { register as search } from './search.ts';
import { register as start } from './start.ts';
import { register as verify } from './verify.ts';

/** Every command of the program: one file and one line each. */
export const commands: readonly ((program: Command) => void)[] = [
  bench,
  bm25,
  compare,
  construct,
  encode,
  evaluate,
  execScore,
  exportResults,
  judge,
  reproduce,
  score,
  search,
  start,
  verify,
];
