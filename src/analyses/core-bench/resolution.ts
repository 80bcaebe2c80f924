import { compareUtf8 } from '../../domain/ids.ts';
import type { BootstrapOptions } from '../../stats/bootstrap.ts';
import { mcnemarExact, pairedTable, type PairedTable } from '../../stats/mcnemar.ts';
import { estimateMean, share, type Estimate, type Share } from '../estimate.ts';

/** Whether an agent resolved an instance with full access and under the two allowlists; null = not run. */
export interface ResolutionRow {
  readonly instance: string;
  /** E.g. `SWE-bench Verified`. */
  readonly source: string;
  readonly full: boolean | null;
  readonly level2: boolean | null;
  readonly level3: boolean | null;
}

/** Resolution rates of one source, with the comparison that counts: the Level-3 against the Level-2 allowlist. */
export interface Resolution {
  /** `all` = every source together. */
  readonly source: string;
  /** Each over the instances that were run in that setting; Wilson's intervals. */
  readonly full: Share;
  readonly level2: Share;
  readonly level3: Share;
  /** Instances run under both allowlists; `aOnly` = resolved under Level 3 only. */
  readonly pairs: PairedTable & { readonly n: number };
  /** Level 3 less Level 2 over the pairs. */
  readonly difference: Estimate;
  /** Exact McNemar on the pairs. */
  readonly p: number;
}

/** Returns resolution by source and over all. Source: CORE-Bench (code retrieval), section F.2 and table 11. */
export function resolution(rows: readonly ResolutionRow[], options: BootstrapOptions = {}): Resolution[] {
  const sources = [...new Set(rows.map(({ source }) => source))].sort(compareUtf8);
  return [
    ...sources.map((source) =>
      resolutionOf(
        source,
        rows.filter((row) => row.source === source),
        options,
      ),
    ),
    resolutionOf('all', rows, options),
  ];
}

function resolutionOf(source: string, rows: readonly ResolutionRow[], options: BootstrapOptions): Resolution {
  const rate = (setting: 'full' | 'level2' | 'level3'): Share => {
    const run = rows.filter((row) => row[setting] !== null);
    return share(run.filter((row) => row[setting] === true).length, run.length);
  };
  const both = rows
    .filter(({ level2, level3 }) => level2 !== null && level3 !== null)
    .sort((a, b) => compareUtf8(a.instance, b.instance));
  const three = both.map(({ level3 }) => (level3 === true ? 1 : 0));
  const two = both.map(({ level2 }) => (level2 === true ? 1 : 0));
  const table = pairedTable(three, two);
  return {
    source,
    full: rate('full'),
    level2: rate('level2'),
    level3: rate('level3'),
    pairs: { ...table, n: both.length },
    difference: estimateMean(
      three.map((value, i) => value - (two[i] as number)),
      options,
    ),
    p: mcnemarExact(table.aOnly, table.bOnly).p,
  };
}
