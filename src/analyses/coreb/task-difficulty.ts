import { bootstrapMean, type BootstrapOptions } from '../../stats/bootstrap.ts';
import { standardDeviation } from '../../stats/paired-t.ts';
import { mean } from '../../stats/summation.ts';
import { orNull, type Estimate } from '../estimate.ts';

/** One system's score on each task; a task that it did not run is absent, which is not a zero. */
export interface SystemScores {
  readonly name: string;
  readonly scores: ReadonlyMap<string, number>;
}

/** How hard a task is for systems together, and how far it tells them apart. */
export interface TaskDifficulty {
  readonly task: string;
  /** Mean over systems with an interval over systems; n counts systems. */
  readonly average: Estimate;
  /** Best less worst. */
  readonly spread: number | null;
  readonly standardDeviation: number | null;
  readonly best: string | null;
  readonly worst: string | null;
}

/** Returns the model-averaged score and the spread of each task, hardest first. Source: CoREB, Analysis I. */
export function taskDifficulty(
  systems: readonly SystemScores[],
  options: BootstrapOptions = {},
): TaskDifficulty[] {
  const tasks = [...new Set(systems.flatMap(({ scores }) => [...scores.keys()]))];
  return tasks
    .map((task): TaskDifficulty => {
      const ran = systems.filter(({ scores }) => scores.has(task));
      const values = ran.map(({ scores }) => scores.get(task) as number);
      const interval = bootstrapMean(values, options);
      const best = Math.max(...values);
      const worst = Math.min(...values);
      return {
        task,
        average: {
          value: orNull(mean(values)),
          low: orNull(interval.low),
          high: orNull(interval.high),
          n: values.length,
        },
        spread: best - worst,
        standardDeviation: orNull(standardDeviation(values)),
        best: ran[values.indexOf(best)]?.name ?? null,
        worst: ran[values.indexOf(worst)]?.name ?? null,
      };
    })
    .sort((a, b) => (a.average.value ?? 0) - (b.average.value ?? 0));
}
