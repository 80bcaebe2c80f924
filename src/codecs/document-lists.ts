/** Lists of documents by query (visible ones, excluded ones), in the forms that people have them in. */
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';

/** Document ids by query id. */
export interface DocumentLists {
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /**
   * `pairs`: one pair a line, so a query without a line has an empty list. `lists`: a list for each query that is
   * named; nothing is said about the others.
   */
  readonly form: 'pairs' | 'lists';
}

const Ids = v.union([v.string(), v.array(v.string())]);
const ListOrGrades = v.union([Ids, v.record(v.string(), v.unknown())]);
const Row = v.looseObject({
  query_id: v.optional(v.string()),
  _id: v.optional(v.string()),
  id: v.optional(v.string()),
  corpus_ids: v.optional(Ids),
  corpus_id: v.optional(Ids),
  filtered_corpus_id: v.optional(v.nullable(Ids)),
});

/**
 * Returns document lists from text: a JSON object `{"q1": ["d1", "d2"], "q2": []}`; JSON lines with `query_id` (or
 * `_id`, `id`) and `corpus_ids` (or `corpus_id`, or CORE-Bench's `filtered_corpus_id`, whose empty list means all);
 * or one pair a line: `q1 d1`, separated by a tab or blanks, also as TREC qrels (`q1 0 d1 1`, grade above 0).
 * `name` is shown in messages. Errors: `lists-invalid` with the line.
 */
export function parseDocumentLists(text: string, name: string): DocumentLists {
  const clean = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!clean.trimStart().startsWith('{')) return { form: 'pairs', lists: parsePairs(clean, name) };
  const whole = tryJson(clean);
  if (whole !== undefined) {
    const row = v.safeParse(Row, whole);
    if (!(row.success && isRow(row.output))) return { form: 'lists', lists: parseObject(whole, name) };
  }
  return { form: 'lists', lists: parseRows(clean, name) };
}

function parseObject(value: unknown, name: string): Map<string, readonly string[]> {
  // Entry by entry and not as one record: a query or a document may be called `__proto__`, which schemas of records drop.
  return new Map(
    Object.entries(value as object).map(([query, given]: [string, unknown]) => {
      const parsed = v.safeParse(ListOrGrades, given);
      if (!parsed.success)
        throw new AppError(
          'codec',
          'lists-invalid',
          `${name} should be a JSON object of query ids with lists of document ids, but query ${JSON.stringify(query)} has ${JSON.stringify(given).slice(0, 80)}.`,
        );
      const ids = parsed.output;
      return [
        query,
        typeof ids === 'string' ? [ids] : Array.isArray(ids) ? ids : Object.keys(given as object),
      ];
    }),
  );
}

function parseRows(text: string, name: string): Map<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return;
    const parsed = v.safeParse(Row, tryJson(line));
    const query = parsed.success
      ? (parsed.output.query_id ?? parsed.output._id ?? parsed.output.id)
      : undefined;
    if (!parsed.success || query === undefined) {
      throw new AppError(
        'codec',
        'lists-invalid',
        `${name}, line ${i + 1}: not a row with a query id (query_id, _id or id) and document ids (corpus_ids): ${line.slice(0, 200)}`,
      );
    }
    const { corpus_ids, corpus_id, filtered_corpus_id } = parsed.output;
    const ids = corpus_ids ?? corpus_id;
    if (ids !== undefined) {
      const known = lists.get(query) ?? [];
      lists.set(query, typeof ids === 'string' ? [...known, ids] : [...known, ...ids]);
    } else if (typeof filtered_corpus_id === 'string' || (filtered_corpus_id?.length ?? 0) > 0) {
      lists.set(query, [filtered_corpus_id ?? []].flat());
    }
  });
  return lists;
}

function parsePairs(text: string, name: string): Map<string, readonly string[]> {
  const lists = new Map<string, string[]>();
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return;
    const parts = line.includes('\t') ? line.split('\t') : line.trim().split(/\s+/);
    const [query, second, third, fourth] = parts;
    if (i === 0 && /^(query|qid|query-id|query_id)$/i.test(query ?? '')) return;
    if (query === undefined || query === '' || parts.length > 4) {
      throw new AppError(
        'codec',
        'lists-invalid',
        `${name}, line ${i + 1}: "${line.slice(0, 200)}" is not "query document" or "query 0 document grade".`,
      );
    }
    const list = lists.get(query) ?? [];
    lists.set(query, list);
    if (fourth !== undefined) {
      if (Number(fourth) > 0) list.push(third as string);
    } else if (second !== undefined && second !== '') {
      // A third column of two-column data is BEIR's grade.
      if (third === undefined || Number(third) > 0) list.push(second);
    }
  });
  return lists;
}

function isRow(row: v.InferOutput<typeof Row>): boolean {
  const hasIds =
    row.corpus_ids !== undefined || row.corpus_id !== undefined || row.filtered_corpus_id !== undefined;
  return hasIds && (row.query_id ?? row._id ?? row.id) !== undefined;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not one JSON value: the caller reads it as lines.
    return undefined;
  }
}
