import { readFileSync } from 'node:fs';
import type { Qrels } from '../../src/domain/qrels.ts';
import { rank, type Run } from '../../src/domain/ranking.ts';

/** Reads tests/golden/NAME. */
export function readGolden<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8')) as Shape;
}

/** Our names of pytrec_eval's measures; at level N those with a level print `(rel=N)`. */
export function ourName(measure: string, level: number): string {
  const rel = level === 1 ? '' : `(rel=${level})`;
  const [, base, cutoff] = /^(.*?)(?:_(\d+))?$/u.exec(measure) as unknown as [
    string,
    string,
    string | undefined,
  ];
  const at = cutoff === undefined ? '' : `@${cutoff}`;
  switch (base) {
    case 'ndcg':
    case 'ndcg_cut':
      return `nDCG${at}`;
    case 'map':
    case 'map_cut':
      return `AP${rel}${at}`;
    case 'recip_rank':
    case 'recip_rank_cut':
      return `RR${rel}${at}`;
    case 'recall':
      return `R${rel}${at}`;
    case 'success':
      return `Success${rel}${at}`;
    case 'P':
      return `P${rel}${at}`;
    case 'bpref':
      return `Bpref${rel}`;
    case 'Rprec':
    case 'infAP':
      return `${base}${rel}`;
    case 'num_ret':
      return 'NumRet';
    case 'num_rel':
      return `NumRel${rel}`;
    case 'num_rel_ret':
      return `NumRelRet${rel}`;
    default:
      throw new Error(`no name for ${measure}`);
  }
}

export function toQrels(plain: Record<string, Record<string, number>>): Qrels {
  return new Map(Object.entries(plain).map(([query, grades]) => [query, new Map(Object.entries(grades))]));
}

export function toRun(plain: Record<string, Record<string, number>>): Run {
  return new Map(
    Object.entries(plain).map(([query, scores]) => [
      query,
      rank(query, Object.keys(scores), Object.values(scores)),
    ]),
  );
}

/** The means of one denominator in a golden file. */
export interface GoldenMeans {
  readonly queries: number;
  readonly values: readonly (number | null)[];
}

/** What every metrics-*.json with pytrec_eval's columns holds. */
export interface GoldenLevels {
  readonly measures: readonly string[];
  readonly levels: Record<
    string,
    {
      readonly perQuery: Record<string, readonly number[]>;
      readonly means: Record<'evaluated' | 'allJudged' | 'withRelevant', GoldenMeans>;
    }
  >;
}
