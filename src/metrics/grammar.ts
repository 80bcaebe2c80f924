import { AppError } from '../domain/app-error.ts';
import { nearNames } from '../domain/near-names.ts';
import { METRICS } from './list.ts';
import type { Measure, Metric, MetricParameter } from './metric.ts';

/*
 * The names of ir-measures: NAME, NAME@k, NAME(rel=2)@k, NAME(text='value',rel=2)@k. A parameter is printed when it differs
 * from its default and not otherwise, in the order in which the metric lists it, so each measure has one spelling.
 */
const QUOTED = `'[^']*'|"[^"]*"`;
const NAME = new RegExp(`^([A-Za-z_][A-Za-z0-9_-]*)(?:\\(((?:[^'"()]|${QUOTED})*)\\))?(?:@([0-9]+))?$`, 'u');
const NAMES_OF_LIST = new RegExp(`(?:\\((?:[^'"()]|${QUOTED})*\\)|[^\\s,(]|\\()+`, 'gu');
const PARAMETERS = new RegExp(`(?:[^,'"]|${QUOTED}|['"])+|^$`, 'gu');
const PARAMETER = /^([A-Za-z_]+)=(?:'([^']*)'|"([^"]*)"|([^'",]+))$/u;
const HIGHEST_CUTOFF = 1e9;

/** Settles what a name leaves open. */
export interface MeasureDefaults {
  /** The lowest relevant grade for measures that name no `rel`; 1 or more, 1 if absent. */
  readonly relevanceLevel?: number;
}

/** Returns the measure that a name such as `P(rel=2)@10` means. Throws AppError `unknown-measure` or `bad-measure`. Inverse: `measure.name`. */
export function parseMeasure(text: string, defaults: MeasureDefaults = {}): Measure {
  const match = NAME.exec(text);
  if (match === null)
    throw bad(
      text,
      `it does not read as NAME, NAME@k or NAME(parameter=value)@k, e.g. nDCG@10 or P(rel=2)@10`,
    );
  const metric = METRICS.find((candidate) => candidate.name === match[1]);
  if (metric === undefined) throw unknownMeasure(text, match[1] as string);
  return settle(text, metric, readParameters(text, metric, match[2]), match[3], defaults);
}

/** Returns the measures of a list such as `nDCG@10,P(rel=2)@10`, separated by commas or blanks outside parentheses; doubled names once. */
export function parseMeasures(text: string, defaults: MeasureDefaults = {}): Measure[] {
  const names = text.match(NAMES_OF_LIST) ?? [];
  if (names.length === 0) throw bad(text, 'the list is empty; name at least one, e.g. nDCG@10');
  const measures = new Map<string, Measure>();
  for (const name of names) {
    const measure = parseMeasure(name, defaults);
    measures.set(measure.name, measure);
  }
  return [...measures.values()];
}

/** Prints a measure in its one spelling. Inverse: {@link parseMeasure}. */
export function printMeasure(
  metric: Metric,
  cutoff: number,
  level: number,
  parameters: ReadonlyMap<string, number | string>,
): string {
  const shown: string[] = [];
  for (const parameter of metric.parameters) {
    if (parameter.kind === 'level') {
      if (level !== 1) shown.push(`rel=${level}`);
      continue;
    }
    const value = parameters.get(parameter.name);
    if (value === undefined || value === parameter.fallback) continue;
    const quote = typeof value === 'number' ? '' : value.includes("'") ? '"' : "'";
    shown.push(`${parameter.name}=${quote}${value}${quote}`);
  }
  const inner = shown.length === 0 ? '' : `(${shown.join(',')})`;
  return `${metric.name}${inner}${Number.isFinite(cutoff) ? `@${cutoff}` : ''}`;
}

function readParameters(text: string, metric: Metric, inner: string | undefined): Map<string, string> {
  const given = new Map<string, string>();
  if (inner === undefined) return given;
  for (const part of inner.match(PARAMETERS) ?? []) {
    const match = PARAMETER.exec(part);
    if (match === null) throw bad(text, `"${part}" does not read as parameter=value`);
    const name = match[1] as string;
    if (!metric.parameters.some((parameter) => parameter.name === name))
      throw bad(text, unknownParameter(metric, name));
    if (given.has(name)) throw bad(text, `parameter ${name} is given twice`);
    given.set(name, (match[2] ?? match[3] ?? match[4]) as string);
  }
  return given;
}

function settle(
  text: string,
  metric: Metric,
  given: ReadonlyMap<string, string>,
  cutoffText: string | undefined,
  defaults: MeasureDefaults,
): Measure {
  const cutoff = readCutoff(text, metric, cutoffText);
  let level = 1;
  const parameters = new Map<string, number | string>();
  for (const parameter of metric.parameters) {
    const value = given.get(parameter.name);
    if (parameter.kind === 'level') {
      level = value === undefined ? (defaults.relevanceLevel ?? 1) : readNumber(text, parameter.name, value);
      if (!Number.isSafeInteger(level) || level < 1)
        throw bad(text, `rel=${value ?? level} is not a relevance level; allowed are whole numbers from 1`);
    } else
      parameters.set(
        parameter.name,
        value === undefined ? parameter.fallback : readValue(text, parameter, value, defaults),
      );
  }
  return { name: printMeasure(metric, cutoff, level, parameters), metric, cutoff, level, parameters };
}

function readCutoff(text: string, metric: Metric, cutoffText: string | undefined): number {
  if (cutoffText === undefined) {
    if (metric.cutoff === 'required') throw bad(text, `it needs a cutoff: ${metric.name}@10`);
    return Infinity;
  }
  if (metric.cutoff === 'none') throw bad(text, `${metric.name} takes no cutoff: write ${metric.name}`);
  const cutoff = Number(cutoffText);
  if (cutoff < 1 || cutoff > HIGHEST_CUTOFF || cutoffText.startsWith('0'))
    throw bad(text, `the cutoff is a whole number from 1 to ${HIGHEST_CUTOFF}, without leading zeros`);
  return cutoff;
}

function readValue(
  text: string,
  parameter: Exclude<MetricParameter, { kind: 'level' }>,
  value: string,
  defaults: MeasureDefaults,
): number | string {
  if (parameter.kind === 'measure') {
    const inner = parseMeasure(value, defaults);
    if (inner.metric.scope === 'run')
      throw bad(text, `${inner.name} has no values of queries; name one that has`);
    return inner.name;
  }
  if (parameter.kind === 'choice') {
    if (!parameter.choices.includes(value))
      throw bad(
        text,
        `${parameter.name} is one of ${parameter.choices.map((choice) => `'${choice}'`).join(', ')}`,
      );
    return value;
  }
  const number = readNumber(text, parameter.name, value);
  if (number < parameter.from || number > parameter.to || (parameter.whole && !Number.isInteger(number)))
    throw bad(
      text,
      `${parameter.name} is a ${parameter.whole ? 'whole ' : ''}number from ${parameter.from} to ${parameter.to}`,
    );
  return number;
}

function readNumber(text: string, name: string, value: string): number {
  if (!/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/u.test(value)) throw bad(text, `${name}=${value} is not a number`);
  return Number(value);
}

function unknownParameter(metric: Metric, name: string): string {
  const known = metric.parameters.map((parameter) => parameter.name);
  if (name === 'rel' && metric.name.endsWith('nDCG'))
    return `${metric.name} takes no rel: as in trec_eval, the relevance level leaves gains alone. A protocol that zeroes grades below its level does what you mean`;
  return known.length === 0
    ? `${metric.name} takes no parameters`
    : `${metric.name} has no parameter ${name}; it has ${known.join(', ')}`;
}

function unknownMeasure(text: string, base: string): AppError {
  const spellings = new Map<string, string>();
  for (const metric of METRICS)
    for (const name of [metric.name, ...metric.alsoCalled]) spellings.set(name, metric.name);
  const near = [
    ...new Set(nearNames(base, spellings.keys(), 5).map((name) => spellings.get(name) as string)),
  ];
  const hint =
    near.length > 0
      ? `Near ones: ${near.slice(0, 3).join(', ')}.`
      : `Known: ${METRICS.map((metric) => metric.name).join(', ')}.`;
  return new AppError('score', 'unknown-measure', `There is no measure "${base}" (in "${text}"). ${hint}`);
}

function bad(text: string, why: string): AppError {
  return new AppError('score', 'bad-measure', `"${text}" is not a measure: ${why}.`);
}
