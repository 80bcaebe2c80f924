/**
 * The filter box's little grammar: blank-separated terms that must all hold.
 * `rank>1 domain:geometry verdict:wrong text:leap -bug:off_by_one "leap year"`. A term without a field looks into the
 * text. Signs: `:` (contains, for texts; equals, for choices and numbers), `=`, `!=`, `<`, `<=`, `>`, `>=`.
 * `name:none` finds rows without a value. A leading `-` turns a term round.
 */
export interface FilterField<Row> {
  readonly name: string;
  readonly kind: 'number' | 'choice' | 'text';
  /** The row's value; undefined where it has none; several for choices. */
  readonly value: (row: Row) => number | string | readonly string[] | undefined;
  /** What a choice can be, for messages and hints. */
  readonly choices?: readonly string[];
}

export type Filter<Row> =
  | { readonly ok: true; readonly test: (row: Row) => boolean }
  | { readonly ok: false; readonly message: string };

type Sign = '!=' | '<=' | '>=' | ':' | '=' | '<' | '>';

/** Returns a test for rows, or what is wrong with the text. `textField` names the field that bare words look into. */
export function parseFilter<Row>(
  text: string,
  fields: readonly FilterField<Row>[],
  textField: string,
): Filter<Row> {
  const tests: ((row: Row) => boolean)[] = [];
  for (const term of terms(text)) {
    const negated = term.startsWith('-') && term.length > 1;
    const body = negated ? term.slice(1) : term;
    const made = termTest(body, fields, textField);
    if (typeof made === 'string') return { ok: false, message: made };
    tests.push(negated ? (row) => !made(row) : made);
  }
  return { ok: true, test: (row) => tests.every((test) => test(row)) };
}

/** Splits at blanks outside double quotes. */
function terms(text: string): string[] {
  return text.match(/(?:"[^"]*"?|[^\s"])+/gu) ?? [];
}

function termTest<Row>(
  term: string,
  fields: readonly FilterField<Row>[],
  textField: string,
): ((row: Row) => boolean) | string {
  const match = /^(\p{L}[\p{L}\p{N}_@-]*)(!=|<=|>=|[:=<>])(.*)$/u.exec(term);
  const name = match?.[1] ?? textField;
  const sign = (match?.[2] ?? ':') as Sign;
  const wanted = (match?.[3] ?? term).replaceAll('"', '');
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined)
    return `No field is called “${name}”. Fields: ${fields.map((known) => known.name).join(', ')}.`;
  if (wanted === '') return `“${term}” names no value to look for.`;
  if (wanted === 'none' && (sign === ':' || sign === '=' || sign === '!='))
    return (row) => isNone(field.value(row)) === (sign !== '!=');
  return field.kind === 'number' ? numberTest(field, sign, wanted) : textTest(field, sign, wanted);
}

function isNone(value: number | string | readonly string[] | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** A row without a number counts as beyond every number: a query without a passing snippet has `rank>10`. */
function numberTest<Row>(
  field: FilterField<Row>,
  sign: Sign,
  wanted: string,
): ((row: Row) => boolean) | string {
  const limit = Number(wanted);
  if (!Number.isFinite(limit)) return `“${field.name}” takes a number, and “${wanted}” is none.`;
  const compare: Record<Sign, (value: number) => boolean> = {
    ':': (value) => value === limit,
    '=': (value) => value === limit,
    '!=': (value) => value !== limit,
    '<': (value) => value < limit,
    '<=': (value) => value <= limit,
    '>': (value) => value > limit,
    '>=': (value) => value >= limit,
  };
  return (row) => {
    const value = field.value(row);
    return compare[sign](typeof value === 'number' ? value : Infinity);
  };
}

function textTest<Row>(
  field: FilterField<Row>,
  sign: Sign,
  wanted: string,
): ((row: Row) => boolean) | string {
  if (sign !== ':' && sign !== '=' && sign !== '!=')
    return `“${field.name}” is not a number: use ${field.name}:${wanted}.`;
  const needle = wanted.toLowerCase();
  const known = field.choices?.map((choice) => choice.toLowerCase());
  if (field.kind === 'choice' && known !== undefined && !known.some((choice) => choice.includes(needle)))
    return `“${field.name}” is never “${wanted}”. It can be ${field.choices?.join(', ')}.`;
  const exact = sign !== ':' || (field.kind === 'choice' && (known?.includes(needle) ?? false));
  const holds = (text: string): boolean =>
    exact ? text.toLowerCase() === needle : text.toLowerCase().includes(needle);
  return (row) => {
    const value = field.value(row);
    const texts = value === undefined ? [] : Array.isArray(value) ? (value as string[]) : [String(value)];
    return texts.some(holds) === (sign !== '!=');
  };
}
