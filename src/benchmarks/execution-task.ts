import { digestOf, type Digest } from '../domain/digest.ts';

/** What the oracle needs for one query: its tests, and which documents are its own. */
export interface ExecutionTask {
  readonly queryId: string;
  /** One of the ten domains, or whatever the source names. */
  readonly domain: string;
  /** Assert statements, in file order. */
  readonly tests: readonly string[];
  readonly canonicalIds: readonly string[];
  readonly distractors: readonly Distractor[];
}

/** A document that a benchmark planted beside a query's canonical: one edit away and failing at least one test. */
export interface Distractor {
  readonly documentId: string;
  /** One of the six mechanical bug types, a legacy one, or `unknown`. */
  readonly bugType: string;
}

/** SHA-256 of a candidate's source: how verdicts name what was run. */
export function codeDigest(code: string): Promise<Digest> {
  return digestOf(code);
}

/** SHA-256 of a suite's statements joined by LF: how verdicts name what it was run against. */
export function suiteDigest(tests: readonly string[]): Promise<Digest> {
  return digestOf(tests.join('\n'));
}

/**
 * The digests under which other people's caches may know a suite: its statements joined by LF, as Python's json.dumps
 * writes the list (ASCII, blank after the comma), and as compact JSON.
 */
export async function suiteDigestReadings(tests: readonly string[]): Promise<readonly Digest[]> {
  const python = `[${tests.map(pythonJsonString).join(', ')}]`;
  const unicode = `[${tests.map((test) => JSON.stringify(test)).join(', ')}]`;
  return Promise.all([
    suiteDigest(tests),
    digestOf(python),
    digestOf(unicode),
    digestOf(JSON.stringify(tests)),
  ]);
}

function pythonJsonString(text: string): string {
  // json.dumps escapes everything beyond ASCII, and DEL stays as it is in both languages.
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
