import * as v from 'valibot';
import type { Suite } from '../contracts/judge.ts';
import { AppError } from '../domain/app-error.ts';

const strings = v.array(v.string());
const base = { id: v.string(), code: v.string() };

/** The forms that `assay judge` takes, one JSON object a line. */
const suiteLine = v.union([
  v.pipe(
    v.strictObject({
      ...base,
      tests: strings,
      setup: v.exactOptional(v.string()),
      namespace: v.exactOptional(v.picklist(['fresh', 'shared'])),
    }),
    v.transform((line): Suite => ({ form: 'asserts', ...line })),
  ),
  v.pipe(
    v.strictObject({ ...base, test: v.string(), entry_point: v.string() }),
    v.transform(({ entry_point, ...line }): Suite => ({ form: 'check', ...line, entryPoint: entry_point })),
  ),
  v.pipe(
    v.strictObject({ ...base, io: v.array(v.strictObject({ stdin: v.string(), stdout: v.string() })) }),
    v.transform((line): Suite => ({ form: 'io', ...line })),
  ),
  v.pipe(
    v.strictObject({
      ...base,
      entry_point: v.string(),
      calls: v.array(v.strictObject({ args: v.array(v.unknown()), expected: v.unknown() })),
    }),
    v.transform(({ entry_point, calls, ...line }): Suite => ({
      form: 'calls',
      ...line,
      entryPoint: entry_point,
      calls: calls.map(({ args, expected }) => ({ args, expected })),
    })),
  ),
]);

/**
 * Parses suites from JSON Lines, in the order of the lines; empty lines are passed over.
 *
 * @throws AppError naming the line, from 1, and what is wrong with it
 */
export function decodeSuiteLines(text: string): Suite[] {
  const suites: Suite[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '') return;
    suites.push(parseLine(index === 0 ? line.replace(/^\ufeff/, '') : line, index + 1));
  });
  return suites;
}

function parseLine(line: string, number: number): Suite {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (thrown) {
    throw new AppError(
      'judge',
      'suite-not-json',
      `Line ${number} is not JSON (${(thrown as Error).message}): ${line.slice(0, 120)}`,
      { cause: thrown },
    );
  }
  const parsed = v.safeParse(suiteLine, value);
  if (parsed.success) return parsed.output;
  throw new AppError(
    'judge',
    'suite-invalid',
    `Line ${number} is no suite: it needs "id", "code" and one of "tests" (asserts), "test" with "entry_point", "io", or "calls" with "entry_point". It has ${memberNames(value)}.`,
  );
}

function memberNames(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `only ${JSON.stringify(value).slice(0, 60)}`;
  return (
    Object.keys(value)
      .map((name) => JSON.stringify(name))
      .join(', ') || 'no members'
  );
}
