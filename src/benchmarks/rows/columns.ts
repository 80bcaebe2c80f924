import { AppError } from '../../domain/app-error.ts';

/** Which column of a document file means what. A list is tried in order; the first one that a row has counts. */
export interface DocumentColumns {
  readonly id: readonly string[];
  readonly text: readonly string[];
  readonly title?: readonly string[];
  readonly language?: readonly string[];
}

/** Which column of a query file means what. */
export interface QueryColumns {
  readonly id: readonly string[];
  readonly text: readonly string[];
  /** Ids of the documents that are visible for the query. */
  readonly visible?: readonly string[];
}

/** Which column of a judgement file means what. Without a grade column every row is a judgement of grade 1. */
export interface QrelsColumns {
  readonly query: readonly string[];
  readonly document: readonly string[];
  readonly grade?: readonly string[];
}

/** How the columns of a benchmark's files are read. */
export interface ColumnMapping {
  readonly documents: DocumentColumns;
  readonly queries: QueryColumns;
  readonly qrels: QrelsColumns;
}

/** The names that BEIR, MTEB, CoIR, CoREB and CORE-Bench use, most specific first. */
export const KNOWN_COLUMNS: ColumnMapping = {
  documents: {
    id: ['_id', 'code_id', 'doc_id', 'id', 'corpus_id', 'corpus-id', 'text_id'],
    text: ['code', 'text', 'content'],
    title: ['title'],
    language: ['language', 'programming_language', 'lang'],
  },
  queries: {
    id: ['_id', 'query_id', 'query-id', 'qid', 'id'],
    text: ['query', 'code', 'text', 'content'],
    visible: ['filtered_corpus_id', 'filtered_corpus_ids'],
  },
  qrels: {
    query: ['query-id', 'query_id', 'qid'],
    document: ['corpus-id', 'corpus_id', 'doc_id', 'docid', 'document_id'],
    grade: ['score', 'relevance', 'label'],
  },
};

type Values = Readonly<Record<string, unknown>>;

/** The first of these columns that a row has with a value other than null, or undefined. */
export function columnOf(value: Values, names: readonly string[] | undefined): string | undefined {
  return names?.find(
    (name) => Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined,
  );
}

/** Returns an id as text. `numberText` gives numbers as they are written. Undefined for anything that cannot be an id. */
export function idText(value: unknown, numberText: string | undefined): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return numberText ?? String(value);
  return typeof value === 'string' && value !== '' && !/\p{Surrogate}/u.test(value) ? value : undefined;
}

/** Returns a grade as an integer; undefined for anything else (`0.5`, text that is no number, beyond 32 bits). */
export function gradeOf(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value;
  if (text === '' || (typeof text !== 'number' && typeof text !== 'bigint' && typeof text !== 'string'))
    return undefined;
  const grade = Number(text);
  return Number.isInteger(grade) && Math.abs(grade) < 2 ** 31 ? grade : undefined;
}

/**
 * Reads a value that should be an object but may be a JSON text or the repr of a Python dictionary. Undefined when it is
 * none of them.
 */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined;
  return parsedObject(value, JSON.parse) ?? parsedObject(value, parsePythonLiteral);
}

function parsedObject(text: string, parse: (text: string) => unknown): Record<string, unknown> | undefined {
  try {
    const value = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AppError) return undefined;
    throw error;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};

/**
 * Reads what Python's repr writes for dictionaries, lists, tuples, texts, numbers, True, False and None. Nothing is run.
 * Errors: `bad-python-literal`.
 */
export function parsePythonLiteral(text: string): unknown {
  let at = 0;
  const fail = (): AppError =>
    new AppError(
      'codec',
      'bad-python-literal',
      `Not a Python literal at character ${at + 1}: ${JSON.stringify(text.slice(at, at + 20))}.`,
    );
  const blanks = (): void => {
    while (/\s/.test(text[at] ?? '')) at++;
  };
  const take = (expected: string): boolean => {
    blanks();
    if (text[at] !== expected) return false;
    at++;
    return true;
  };
  const sequence = (end: string): unknown[] => {
    const items: unknown[] = [];
    while (!take(end)) {
      items.push(value());
      if (!take(',')) {
        if (!take(end)) throw fail();
        break;
      }
    }
    return items;
  };
  const dictionary = (): Record<string, unknown> => {
    const members = Object.create(null) as Record<string, unknown>;
    while (!take('}')) {
      const key = value();
      if (!take(':')) throw fail();
      members[String(key)] = value();
      if (!take(',')) {
        if (!take('}')) throw fail();
        break;
      }
    }
    return members;
  };
  const string = (quote: string): string => {
    let result = '';
    for (at++; text[at] !== quote; at++) {
      if (at >= text.length) throw fail();
      if (text[at] !== '\\') {
        result += text[at];
        continue;
      }
      at++;
      const code = text[at] ?? '';
      const digits = { x: 2, u: 4, U: 8 }[code];
      if (digits !== undefined) {
        const point = Number.parseInt(text.slice(at + 1, at + 1 + digits), 16);
        if (!(point <= 0x10ffff)) throw fail();
        result += String.fromCodePoint(point);
        at += digits;
      } else if (code !== '\n') {
        result += ESCAPES[code] ?? `\\${code}`;
      }
    }
    at++;
    return result;
  };
  const value = (): unknown => {
    blanks();
    const c = text[at] ?? '';
    if (c === "'" || c === '"') return string(c);
    if (take('{')) return dictionary();
    if (take('[')) return sequence(']');
    if (take('(')) return sequence(')');
    const word = /^[-+\w.]+/.exec(text.slice(at))?.[0];
    if (word === undefined) throw fail();
    const known: Readonly<Record<string, unknown>> = { None: null, True: true, False: false, nan: null };
    if (Object.hasOwn(known, word)) {
      at += word.length;
      return known[word];
    }
    const number = Number(word.replaceAll('_', ''));
    if (Number.isNaN(number)) throw fail();
    at += word.length;
    return number;
  };
  const result = value();
  blanks();
  if (at !== text.length) throw fail();
  return result;
}
