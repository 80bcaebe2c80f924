import type { ExecBuild, ExecBuildSettings } from './build.ts';
import type { ReadTasks } from './read-tasks.ts';

/** What `build-report.json` holds: inputs by digest, settings, numbers and everything that was turned away, no times. */
export interface ExecBuildReport {
  readonly kind: 'construct exec';
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  readonly form: ReadTasks['form'];
  readonly settings: Omit<ExecBuildSettings, 'limits'> & { readonly limits: 'paper' | 'imported' };
  readonly changedOnReading: { readonly docstringsRemoved: number; readonly unsplitTests: number };
  readonly numbers: ExecBuild['numbers'];
  readonly finalSweeps: Omit<ExecBuild['sweeps'], 'breaches'>;
  readonly dropped: ExecBuild['dropped'];
  readonly renamed: ExecBuild['renamed'];
  readonly short: ExecBuild['short'];
  /** SHA-256 of each written file. */
  readonly files: Readonly<Record<string, string>>;
}

/** The report in lines for a terminal. */
export function reportLines(report: ExecBuildReport): string[] {
  const { numbers, finalSweeps } = report;
  const percent = ({ valid, of }: { valid: number; of: number }): string =>
    `${valid} of ${of} (${of === 0 ? '-' : ((100 * valid) / of).toFixed(1)} %)`;
  const atLeastThree = Object.entries(numbers.tasksByDistractors)
    .filter(([count]) => Number(count) >= 3)
    .reduce((sum, [, tasks]) => sum + tasks, 0);
  return [
    `${numbers.tasksBuilt} of ${numbers.tasksRead} tasks built, ${numbers.distractors} distractors (${numbers.crashing} fail by exceptions only)`,
    `At least 3 distractors: ${percent({ valid: atLeastThree, of: numbers.tasksRead })} of the tasks read; ${numbers.tasksWithThreeKillableSites.withThreeDistractors} of ${numbers.tasksWithThreeKillableSites.tasks} that have three killable sites`,
    `Valid at the first attempt: ${percent(numbers.firstAttempt)} of tasks, ${percent(numbers.firstAttemptMutants)} of mutants`,
    `Final sweeps: ${finalSweeps.distractorsThatPass} distractors pass, ${finalSweeps.nameCollisions} name collisions, ${finalSweeps.exactDuplicates} exact and ${finalSweeps.normalisedDuplicates} normalised duplicates`,
    '',
    'bug type                 sites  killed by output  crash  endless  pass (dropped)  chosen',
    ...Object.entries(numbers.mutants).map(([type, row]) =>
      [
        type.padEnd(23),
        String(row.sites).padStart(7),
        String(row['fails-by-output']).padStart(18),
        String(row.crashes).padStart(7),
        String(row['does-not-end']).padStart(9),
        String(row.passes).padStart(16),
        String(numbers.byType.find(({ bugType }) => bugType === type)?.count ?? 0).padStart(8),
      ].join(''),
    ),
    ...(report.dropped.length === 0 ? [] : ['', 'Turned away:']),
    ...report.dropped.map(({ entryId, gate, reason }) => `  ${entryId} (${gate}): ${reason}`),
    ...report.renamed.map(({ entryId, from, to }) => `  ${entryId}: ${from} is called ${to} here`),
  ];
}
