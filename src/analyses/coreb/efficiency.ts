/** A system with its size. */
export interface SizedSystem {
  readonly name: string;
  readonly score: number;
  /** Billions of parameters; null where nobody says. */
  readonly billions: number | null;
}

/** Where a system stands among those of known size. */
export interface EfficiencyRow {
  readonly name: string;
  readonly score: number;
  readonly billions: number;
  /** Score per billion parameters. */
  readonly perBillion: number;
  readonly onFront: boolean;
  /** Systems that score at least as high with no more parameters, one of the two strictly. */
  readonly dominatedBy: readonly string[];
}

export interface Efficiency {
  /** Most efficient first. */
  readonly rows: readonly EfficiencyRow[];
  /** Names on the Pareto front, smallest first. */
  readonly front: readonly string[];
  /** Systems of unknown size: outside the comparison, not zero. */
  readonly unknownSize: readonly string[];
}

/** Returns the Pareto front of score against size and the score per billion parameters. Source: CoREB, section 4.4. */
export function efficiency(systems: readonly SizedSystem[]): Efficiency {
  const sized = systems.flatMap(({ name, score, billions }) =>
    billions === null || !(billions > 0) ? [] : [{ name, score, billions }],
  );
  const rows = sized
    .map((one): EfficiencyRow => {
      const dominatedBy = sized
        .filter(
          (other) =>
            other.score >= one.score &&
            other.billions <= one.billions &&
            (other.score > one.score || other.billions < one.billions),
        )
        .map(({ name }) => name);
      return { ...one, perBillion: one.score / one.billions, onFront: dominatedBy.length === 0, dominatedBy };
    })
    .sort((a, b) => b.perBillion - a.perBillion);
  return {
    rows,
    front: rows
      .filter(({ onFront }) => onFront)
      .sort((a, b) => a.billions - b.billions)
      .map(({ name }) => name),
    unknownSize: systems
      .filter(({ name }) => !sized.some((one) => one.name === name))
      .map(({ name }) => name),
  };
}
