import { INTENTS } from '../../analyses/core-bench/queries.ts';
import type { DropReason, RepoBuild, RepoBuildSettings } from './build.ts';

/** F/D = few or many gold pieces a query, S/L = small or large corpus, against thresholds that are printed with them. */
export interface Regime {
  readonly regime: 'F-S' | 'F-L' | 'D-S' | 'D-L' | null;
  readonly corpusPieces: number;
  readonly meanVisible: number;
  readonly meanGold: number;
  /** Absent: no thresholds were given, and one repository has no median over repositories. */
  readonly thresholds?: RegimeThresholds;
}

/** From these on a corpus is large and a repository dense. */
export interface RegimeThresholds {
  readonly corpusPieces: number;
  readonly goldPerQuery: number;
}

/** What `build-report.json` of a repository holds. No times and no paths of this machine: equal inputs, equal bytes. */
export interface RepoBuildReport {
  readonly kind: 'construct repo';
  readonly repository: string;
  readonly head: string;
  readonly settings: Omit<RepoBuildSettings, 'requests' | 'answers'> & {
    readonly requests: number | null;
    readonly answers: number | null;
  };
  readonly numbers: {
    readonly commitsRead: number;
    readonly shallow: boolean;
    readonly queries: number;
    readonly pieces: number;
    readonly judgements: number;
    readonly medianPieceLines: number;
    readonly editedLines: RepoBuild['editedLines'];
    readonly intents: Readonly<Record<string, number>>;
    readonly languages: Readonly<Record<string, number>>;
    readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
    readonly leftOutFiles: RepoBuild['leftOut'];
  };
  readonly regime: Regime;
  readonly renames: RepoBuild['renames'];
  readonly skipped: RepoBuild['skipped'];
  readonly dropped: RepoBuild['dropped'];
}

/** The report of a build. */
export function repoBuildReport(
  repository: string,
  build: RepoBuild,
  { requests, answers, ...settings }: RepoBuildSettings,
  thresholds?: RegimeThresholds,
): RepoBuildReport {
  const judgements = build.queries.reduce((sum, { gold }) => sum + gold.length, 0);
  return {
    kind: 'construct repo',
    repository,
    head: build.head,
    settings: { ...settings, requests: requests?.size ?? null, answers: answers?.size ?? null },
    numbers: {
      commitsRead: build.commitsRead,
      shallow: build.shallow,
      queries: build.queries.length,
      pieces: build.pieces.length,
      judgements,
      medianPieceLines: medianLines(build),
      editedLines: build.editedLines,
      intents: Object.fromEntries(
        INTENTS.map((intent) => [intent, build.queries.filter((query) => query.intent === intent).length]),
      ),
      languages: countBy(build.pieces.map(({ language }) => language)),
      dropped: countBy(build.dropped.map(({ why }) => why)),
      leftOutFiles: build.leftOut,
    },
    regime: regimeOf(build, judgements, thresholds),
    renames: build.renames,
    skipped: build.skipped,
    dropped: build.dropped,
  };
}

/** The report in lines for a terminal. */
export function repoReportLines({ numbers, regime, renames }: RepoBuildReport): string[] {
  const { all, covered } = numbers.editedLines;
  const list = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  return [
    `${numbers.queries} queries from ${numbers.commitsRead} commits${numbers.shallow ? ' (the clone is shallow)' : ''}, ${numbers.pieces} pieces, ${numbers.judgements} judgements`,
    `Pieces: median ${numbers.medianPieceLines} lines; ${list(numbers.languages)}`,
    `Edited lines in a gold piece: ${covered} of ${all}${all === 0 ? '' : ` (${((100 * covered) / all).toFixed(1)} %)`}; ${renames.length} renames followed`,
    `Intents: ${list(numbers.intents)}`,
    `Commits without a query: ${list(numbers.dropped as Record<string, number>)}`,
    `File versions left out: ${list(numbers.leftOutFiles as Record<string, number>)}`,
    `Regime: ${regime.regime ?? 'not assigned (one repository has no median; give --regime-pieces and --regime-gold)'}; ${regime.meanVisible.toFixed(0)} visible pieces and ${regime.meanGold.toFixed(2)} gold pieces a query on average`,
  ];
}

function regimeOf(build: RepoBuild, judgements: number, thresholds: RegimeThresholds | undefined): Regime {
  const { length } = build.queries;
  const meanVisible = build.queries.reduce((sum, { visible }) => sum + visible.length, 0) / length;
  const meanGold = judgements / length;
  const sizes = { corpusPieces: build.pieces.length, meanVisible, meanGold };
  if (thresholds === undefined) return { regime: null, ...sizes };
  const focus = meanGold >= thresholds.goldPerQuery ? 'D' : 'F';
  const size = build.pieces.length >= thresholds.corpusPieces ? 'L' : 'S';
  return { regime: `${focus}-${size}`, ...sizes, thresholds };
}

function medianLines({ pieces }: RepoBuild): number {
  const lines = pieces.map(({ span }) => span.last - span.first + 1).sort((a, b) => a - b);
  return lines[lines.length >> 1] ?? 0;
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
