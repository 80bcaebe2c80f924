import { spearman, spearmanInterval } from '../../stats/spearman.ts';
import { mean } from '../../stats/summation.ts';

/** The groups of Level-1 sets in the paper's figure 4. */
export const LEVEL_1_GROUPS = ['T2C', 'C2T', 'C2C', 'hybrid', 'competitive'] as const;
export type Level1Group = (typeof LEVEL_1_GROUPS)[number];

/**
 * Which group each Level-1 set belongs to. The paper names the groups and the sets but not which is where: declared here
 * by what is query and what is document in each set.
 */
export const LEVEL_1_SETS: Readonly<Record<string, Level1Group>> = {
  CPRet: 'competitive',
  CLARC: 'T2C',
  AppsRetrieval: 'T2C',
  CosQA: 'T2C',
  SyntheticText2SQL: 'T2C',
  COIRCodeSearchNetRetrieval: 'C2T',
  CodeSearchNetCCRetrieval: 'C2C',
  CodeTransOceanContest: 'C2C',
  CodeTransOceanDL: 'C2C',
  CodeFeedbackST: 'hybrid',
};

/** One model's scores: a Level-1 score a set, and the averages of the other levels; what did not run is absent or null. */
export interface LevelModel {
  readonly name: string;
  readonly level1: ReadonlyMap<string, number>;
  readonly level2: number | null;
  readonly level3: number | null;
}

/** One cell of the matrix. `rho` and the ends are null below the models that they need (2, and 4 for the interval). */
export interface LevelCorrelation {
  readonly from: Level1Group | 'L1' | 'L2';
  readonly to: 'L2' | 'L3';
  readonly rho: number | null;
  readonly p: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Models that have both. */
  readonly models: number;
}

/**
 * Returns the Spearman matrix of Level-1 groups (a group's score = mean of its sets, all of which a model must have run) and
 * of Level 1 as a whole against Levels 2 and 3, and of Level 2 against Level 3. `mapping` overrides {@link LEVEL_1_SETS}.
 */
export function levelCorrelations(
  models: readonly LevelModel[],
  mapping: Readonly<Record<string, Level1Group>> = LEVEL_1_SETS,
): LevelCorrelation[] {
  const sets = [...new Set(models.flatMap(({ level1 }) => [...level1.keys()]))].filter((set) =>
    Object.hasOwn(mapping, set),
  );
  const scoreOf = (model: LevelModel, of: LevelCorrelation['from'] | 'L3'): number | null => {
    if (of === 'L2') return model.level2;
    if (of === 'L3') return model.level3;
    const wanted = sets.filter((set) => of === 'L1' || mapping[set] === of);
    const scores = wanted.flatMap((set) => model.level1.get(set) ?? []);
    return wanted.length === 0 || scores.length < wanted.length ? null : mean(scores);
  };
  const rows: LevelCorrelation['from'][] = [...LEVEL_1_GROUPS, 'L1', 'L2'];
  return rows.flatMap((from) =>
    (from === 'L2' ? (['L3'] as const) : (['L2', 'L3'] as const)).map((to): LevelCorrelation => {
      const pairs = models.flatMap((model) => {
        const x = scoreOf(model, from);
        const y = scoreOf(model, to);
        return x === null || y === null ? [] : [{ x, y }];
      });
      const { value, p } = spearman(
        pairs.map(({ x }) => x),
        pairs.map(({ y }) => y),
      );
      const interval = value === null ? null : spearmanInterval(value, pairs.length);
      return {
        from,
        to,
        rho: value,
        p,
        low: interval?.[0] ?? null,
        high: interval?.[1] ?? null,
        models: pairs.length,
      };
    }),
  );
}
