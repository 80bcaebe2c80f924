import { compareUtf8 } from '../../domain/ids.ts';
import type { Qrels } from '../../domain/qrels.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { median } from '../../stats/quantile.ts';
import { estimateMean, orNull, type Estimate } from '../estimate.ts';

/** One instance that both levels have. */
export interface ExpandedInstance {
  readonly instance: string;
  /** Relevant chunks in Level 2 and in Level 3. */
  readonly level2: number;
  readonly level3: number;
  /** Chunks relevant in both. */
  readonly overlap: number;
}

/** How the targets of shared instances grow from edits (Level 2) to context (Level 3). */
export interface TargetExpansion {
  readonly instances: readonly ExpandedInstance[];
  readonly onlyLevel2: number;
  readonly onlyLevel3: number;
  /** Means over shared instances. */
  readonly level2: Estimate;
  readonly level3: Estimate;
  /** Level 3 over Level 2, instance by instance. */
  readonly growth: Estimate;
  readonly medianGrowth: number | null;
  /** Share of an instance's Level-2 chunks that Level 3 keeps. */
  readonly kept: Estimate;
}

/**
 * Returns the target expansion over instances with relevant chunks in both levels; `instanceOf` turns a query id into its
 * instance (default: the id itself). Source: CORE-Bench (code retrieval), tables 6 and 10.
 */
export function targetExpansion(
  level2: Qrels,
  level3: Qrels,
  instanceOf: (queryId: string) => string = (queryId) => queryId,
  options: BootstrapOptions = {},
): TargetExpansion {
  const edits = relevantByInstance(level2, instanceOf);
  const context = relevantByInstance(level3, instanceOf);
  const instances = [...edits.keys()]
    .filter((instance) => context.has(instance))
    .sort(compareUtf8)
    .map((instance): ExpandedInstance => {
      const two = edits.get(instance) as Set<string>;
      const three = context.get(instance) as Set<string>;
      const overlap = [...two].filter((chunk) => three.has(chunk)).length;
      return { instance, level2: two.size, level3: three.size, overlap };
    });
  const growth = instances.map((one) => one.level3 / one.level2);
  return {
    instances,
    onlyLevel2: edits.size - instances.length,
    onlyLevel3: context.size - instances.length,
    level2: estimateMean(
      instances.map((one) => one.level2),
      options,
    ),
    level3: estimateMean(
      instances.map((one) => one.level3),
      options,
    ),
    growth: estimateMean(growth, options),
    medianGrowth: orNull(median(growth)),
    kept: estimateMean(
      instances.map((one) => one.overlap / one.level2),
      options,
    ),
  };
}

function relevantByInstance(qrels: Qrels, instanceOf: (queryId: string) => string): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  for (const [queryId, judgements] of qrels) {
    for (const [chunk, grade] of judgements) {
      if (grade <= 0) continue;
      const instance = instanceOf(queryId);
      const chunks = result.get(instance);
      if (chunks === undefined) result.set(instance, new Set([chunk]));
      else chunks.add(chunk);
    }
  }
  return result;
}
