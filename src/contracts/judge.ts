/**
 * The oracle's contract: what the page asks of the sandbox and what it gets back. Plain data only; the sandbox frame's
 * port carries these and nothing else, and everything that arrives from it is parsed by {@link fromSandboxSchema}.
 */
import * as v from 'valibot';

import type { Digest } from '../domain/digest.ts';
import { VERDICTS, type Verdict } from '../domain/verdict.ts';

/** What every form of suite has. */
interface SuiteBase {
  /** Comes back with the result; unique within one call. */
  readonly id: string;
  /** The candidate: Python source, exactly as it will be executed. Untrusted. */
  readonly code: string;
}

/**
 * Assert statements, one test each. ExecRetrieval: `namespace: 'fresh'` (the default), the source is executed anew for
 * each assert. MBPP: `namespace: 'shared'` and `setup`, which runs after the source, in the same namespace.
 */
export interface AssertSuite extends SuiteBase {
  readonly form: 'asserts';
  readonly tests: readonly string[];
  readonly setup?: string;
  readonly namespace?: 'fresh' | 'shared';
}

/** HumanEval: `test` defines `check(candidate)`, which is called once with the entry point; one test. */
export interface CheckSuite extends SuiteBase {
  readonly form: 'check';
  readonly test: string;
  readonly entryPoint: string;
}

/** A program run once a pair as `__main__`; white space is normalised before the output is compared. */
export interface ProgramSuite extends SuiteBase {
  readonly form: 'io';
  readonly io: readonly { readonly stdin: string; readonly stdout: string }[];
}

/** Function calls with JSON arguments and JSON results (tuples count as lists). The entry point may be a method of a class `Solution`. */
export interface CallSuite extends SuiteBase {
  readonly form: 'calls';
  readonly entryPoint: string;
  readonly calls: readonly { readonly args: readonly unknown[]; readonly expected: unknown }[];
}

/** A candidate together with its tests, in one of the forms that benchmarks use. */
export type Suite = AssertSuite | CheckSuite | ProgramSuite | CallSuite;

/** One local variable where a test failed, as text cut to 2,000 characters. */
export interface ShownVariable {
  readonly name: string;
  readonly value: string;
}

/** One Python frame where a test failed, outermost first. */
export interface ShownFrame {
  readonly where: 'test' | 'candidate' | 'library';
  /** From 1, in the text of the test or of the candidate. */
  readonly line: number;
  readonly name: string;
  readonly variables: readonly ShownVariable[];
}

/** In front of the message of a test that does not parse: the benchmark is at fault, not the candidate. */
export const BROKEN_TEST = 'the test itself: ';

/** What became of one test. */
export interface TestOutcome {
  readonly verdict: Verdict;
  /** Empty for a pass; else one line for people: the assert's text, `TypeError: …`, `over 5,000 ms`. At most 2,000 characters. */
  readonly message: string;
  /** `repr` of the right and the left side of the assert that failed, cut to 2,000 characters. */
  readonly expected?: string;
  readonly got?: string;
  /** The exception's class, for `error`, `memory`, `exited` and `unsupported`. */
  readonly errorType?: string;
  /** Line of the candidate (from 1) nearest to where the exception rose. */
  readonly candidateLine?: number;
  /** Line of the test text (from 1) that was running. */
  readonly testLine?: number;
  /** Only from a live run. */
  readonly frames?: readonly ShownFrame[];
}

/** What became of one suite. */
export interface SuiteResult {
  readonly id: string;
  /** `pass` when every test passed, else the verdict of the first test that did not. */
  readonly verdict: Verdict;
  /** One a test, in order. Every test has one, also when an earlier one ended the suite. */
  readonly tests: readonly TestOutcome[];
  /** Wall time inside the interpreter, in milliseconds of this machine. */
  readonly ms: number;
  /** Plain remarks, such as `suspicious: a result equal to everything` or `32-bit platform`. Absent when there are none. */
  readonly remarks?: readonly string[];
  /** The first 4,000 characters that the candidate printed; only from a live run. */
  readonly output?: string;
}

/** How a batch is judged. */
export interface JudgeOptions {
  /** Limit for a whole suite in CPython's time; the page multiplies it by its measured factor. Default 5,000. */
  readonly timeoutMs?: number;
  /** Run each suite again in a second pinned environment and report `platform-sensitive` where the verdicts differ. Default false. */
  readonly secondPass?: boolean;
  /** Stop at the first test that fails and mark the rest as not run by repeating its verdict. Default false: every test is run. */
  readonly failFast?: boolean;
  /** Collect expected, got and lines of the first failing test. Default true. */
  readonly details?: boolean;
  /** Aborting ends the running candidates at once; `judge` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called once a suite, in the order in which they finish. */
  readonly onResult?: (result: SuiteResult, index: number) => void;
}

/** What a verdict depends on besides code and tests; its canonical JSON is the environment part of a verdict's key. */
export interface JudgeEnvironment {
  /** e.g. `pyodide 314.0.7`, `python 3.14.x`, `word 32`. */
  readonly pyodide: string;
  readonly python: string;
  /** SHA-256 of the build products: wasm, library, snapshot, harness. */
  readonly assets: Digest;
  readonly timeZone: 'UTC';
  readonly hashSeed: 0;
  readonly recursionLimit: number;
  readonly integerTextLimit: number;
  readonly memoryCapBytes: number;
  readonly outputCapBytes: number;
  readonly timeoutMs: number;
}

const text = v.pipe(v.string(), v.maxLength(20_000));
const line = v.pipe(v.number(), v.integer(), v.minValue(0));
const verdictSchema = v.picklist(VERDICTS);
const outcomeSchema = v.object({
  verdict: verdictSchema,
  message: text,
  expected: v.exactOptional(text),
  got: v.exactOptional(text),
  errorType: v.exactOptional(text),
  candidateLine: v.exactOptional(line),
  testLine: v.exactOptional(line),
  frames: v.exactOptional(
    v.pipe(
      v.array(
        v.object({
          where: v.picklist(['test', 'candidate', 'library']),
          line,
          name: text,
          variables: v.pipe(v.array(v.object({ name: text, value: text })), v.maxLength(200)),
        }),
      ),
      v.maxLength(100),
    ),
  ),
});

/** Everything that the sandbox frame may say; anything else is dropped and the frame is replaced. */
export const fromSandboxSchema = v.variant('t', [
  v.object({ t: v.literal('ready'), bootMs: v.number() }),
  v.object({
    t: v.literal('result'),
    /** The number that the page gave the suite. */
    n: line,
    outcomes: v.pipe(v.array(outcomeSchema), v.maxLength(100_000)),
    ms: v.number(),
    /** The deadline clock ended it. */
    expired: v.boolean(),
    remarks: v.pipe(v.array(text), v.maxLength(20)),
    output: v.exactOptional(text),
  }),
  v.object({ t: v.literal('calibrated'), ms: v.number() }),
  v.object({ t: v.literal('failed'), message: text }),
]);

/** A parsed message of the sandbox frame. */
export type FromSandbox = v.InferOutput<typeof fromSandboxSchema>;
