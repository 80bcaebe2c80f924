/**
 * Runs suites in a {@link Machine} and decides verdicts. The verdict of a test is what the C call that ran it returned
 * and, when it failed, the class of the exception, compared by address: both are read here, in JavaScript, by code that
 * the candidate has no name for. Python code of ours runs only afterwards, to word an explanation.
 */
import type { Suite, TestOutcome } from '../../src/contracts/judge.ts';
import { Explainer, type ExplainOptions, type Pending, type Probe } from './explanation.ts';
import { cut, inTest, type Failure, type PreparedObjects } from './failures.ts';
import { outputsAgree } from './outputs.ts';
import type { Machine } from './python/machine.ts';
import { fromJson, matchesJson } from './python/values.ts';
import { EVAL_INPUT, FILE_INPUT, Session, type Step } from './session.ts';

/** How one suite is run. `live`: stop at the first failure, keep what was printed, and show variables. */
export interface RunOptions extends ExplainOptions {
  readonly failFast: boolean;
  readonly outputCapBytes: number;
}

/** What running a suite gave. */
export interface RunResult {
  readonly outcomes: TestOutcome[];
  readonly remarks: string[];
  readonly ms: number;
  readonly output?: string;
}

/** The judge of one machine. */
export class Harness {
  private readonly session: Session;
  private readonly explainer: Explainer;
  private options!: RunOptions;
  private readonly remarks = new Set<string>();
  private pending: Pending | undefined;
  private probe: Probe | undefined;
  private testText = '';

  constructor(machine: Machine, objects: PreparedObjects) {
    this.session = new Session(machine, objects);
    this.explainer = new Explainer(this.session);
  }

  /** Runs a suite from a fresh state. Never throws for anything that the candidate does. */
  run(suite: Suite, options: RunOptions): RunResult {
    this.options = options;
    this.remarks.clear();
    const started = performance.now();
    this.session.fresh(undefined, options.outputCapBytes);
    this.pending = undefined;
    this.probe = undefined;
    let outcomes: TestOutcome[];
    switch (suite.form) {
      case 'asserts':
        outcomes = this.runAsserts(suite.code, suite.tests, suite.setup, suite.namespace ?? 'fresh');
        break;
      case 'check':
        outcomes = this.runCheck(suite.code, suite.test, suite.entryPoint);
        break;
      case 'io':
        outcomes = this.runPrograms(suite.code, suite.io);
        break;
      case 'calls':
        outcomes = this.runCalls(suite.code, suite.entryPoint, suite.calls);
        break;
    }
    // What was printed up to here: the explanation evaluates the failed assert once more.
    const output = options.live ? this.printed(outcomes) : undefined;
    this.explainer.explainFirst(outcomes, this.pending, options);
    if (this.explainer.isSuspicious(outcomes, this.probe, options))
      this.remarks.add('suspicious: a result that equals everything');
    if (outcomes.some(({ verdict }) => verdict === 'platform-sensitive')) this.remarks.add('32-bit platform');
    const result = { outcomes, remarks: [...this.remarks], ms: performance.now() - started };
    this.session.broken = true;
    return output === undefined ? result : { ...result, output };
  }

  /** The first 4,000 characters of what the candidate printed, with what still lay in its buffers. */
  private printed(outcomes: readonly TestOutcome[]): string {
    const { session } = this;
    this.options.onDecided?.(outcomes);
    if (!session.broken) {
      const flush = session.compile('import sys\nsys.stdout.flush()', '<call>', FILE_INPUT);
      if ('value' in flush) session.execute(flush.value, session.newNamespace('closing'));
    }
    const { streams } = session.machine.calls;
    return new TextDecoder().decode(streams.output.subarray(0, streams.outputSize)).slice(0, 4_000);
  }

  private runAsserts(
    code: string,
    tests: readonly string[],
    setup: string | undefined,
    namespace: 'fresh' | 'shared',
  ): TestOutcome[] {
    let candidate: Step | undefined;
    let compiled: Step[] = [];
    let prepared: Step | undefined;
    let shared: number | undefined;
    // Tests are compiled before any code of the candidate runs: it cannot change what is compiled.
    const ready = (): void => {
      if (!this.session.broken && candidate !== undefined) return;
      if (this.session.broken) this.freshAgain();
      candidate = this.session.compile(code, '<candidate>', FILE_INPUT);
      compiled = tests.map((test) => this.session.compile(test, '<test>', FILE_INPUT));
      prepared = setup === undefined ? undefined : this.session.compile(setup, '<test>', FILE_INPUT);
      shared = undefined;
    };
    return this.each(tests.length, (i) => {
      ready();
      this.testText = tests[i] as string;
      if (candidate === undefined || 'failure' in candidate) return candidate?.failure;
      const test = compiled[i] as Step;
      if ('failure' in test) return inTest(test.failure);
      let globals = shared;
      if (globals === undefined) {
        globals = this.session.newNamespace('candidate');
        const failure = this.session.execute(candidate.value, globals);
        if (failure !== undefined) return failure;
        if (prepared !== undefined) {
          if ('failure' in prepared) return inTest(prepared.failure);
          const failed = this.session.execute(prepared.value, globals);
          if (failed !== undefined) return failed;
        }
        if (namespace === 'shared') shared = globals;
      }
      this.probe = { globals, test: tests[i] as string, code };
      return this.session.execute(test.value, globals);
    });
  }

  private runCheck(code: string, test: string, entryPoint: string): TestOutcome[] {
    this.testText = test;
    return this.each(1, () => {
      const steps = [
        this.session.compile(code, '<candidate>', FILE_INPUT),
        this.session.compile(test, '<test>', FILE_INPUT),
        this.session.compile(`check(${entryPoint})`, '<call>', EVAL_INPUT),
      ];
      const globals = this.session.newNamespace('candidate');
      for (const step of steps) {
        const failure = 'failure' in step ? step.failure : this.session.execute(step.value, globals);
        if (failure !== undefined) return failure;
      }
      const entry = this.session.machine.call(
        'PyDict_GetItemString',
        globals,
        this.session.string(entryPoint),
      );
      if (entry !== 0)
        this.session.machine.call('PyDict_SetItemString', globals, this.session.string('candidate'), entry);
      this.probe = { globals, test, code };
      return undefined;
    });
  }

  private runPrograms(
    code: string,
    pairs: readonly { readonly stdin: string; readonly stdout: string }[],
  ): TestOutcome[] {
    const encoder = new TextEncoder();
    return this.each(pairs.length, (i) => {
      const { stdin, stdout } = pairs[i] as { stdin: string; stdout: string };
      const expected = stdout;
      // As much output as could still be right, and a little more to see that it is not.
      this.freshAgain(
        encoder.encode(stdin),
        Math.max(this.options.outputCapBytes, encoder.encode(expected).length * 2),
      );
      const candidate = this.session.compile(code, '<candidate>', FILE_INPUT);
      if ('failure' in candidate) return candidate.failure;
      const globals = this.session.newNamespace('__main__');
      const failure = this.session.execute(candidate.value, globals, true);
      if (failure !== undefined) return failure;
      const closing = this.session.compile(
        'import atexit, sys\natexit._run_exitfuncs()\nsys.stdout.flush()',
        '<test>',
        FILE_INPUT,
      );
      if ('failure' in closing) return closing.failure;
      const unflushed = this.session.execute(closing.value, this.session.newNamespace('closing'), true);
      if (unflushed !== undefined) return unflushed;
      const { streams } = this.session.machine.calls;
      const got = new TextDecoder().decode(streams.output.subarray(0, streams.outputSize));
      if (outputsAgree(got, expected)) return undefined;
      return { verdict: 'wrong', message: 'another output', expected: cut(expected), got: cut(got) };
    });
  }

  private runCalls(
    code: string,
    entryPoint: string,
    calls: readonly { readonly args: readonly unknown[]; readonly expected: unknown }[],
  ): TestOutcome[] {
    let target: number | undefined;
    return this.each(calls.length, (i) => {
      if (this.session.broken) {
        this.freshAgain();
        target = undefined;
      }
      if (target === undefined) {
        const candidate = this.session.compile(code, '<candidate>', FILE_INPUT);
        if ('failure' in candidate) return candidate.failure;
        const globals = this.session.newNamespace('candidate');
        const failure = this.session.execute(candidate.value, globals);
        if (failure !== undefined) return failure;
        const found = this.session.find(globals, entryPoint);
        if ('failure' in found) return found.failure;
        target = found.value;
      }
      const { args, expected } = calls[i] as { args: readonly unknown[]; expected: unknown };
      const callable = target;
      const called = this.session.guard(() => {
        const tuple = fromJson(this.session.machine, args, 'tuple');
        return tuple === 0 ? 0 : this.session.machine.call('PyObject_Call', callable, tuple, 0);
      });
      if ('failure' in called) return called.failure;
      const agrees = this.session.guard(() =>
        matchesJson(this.session.machine, called.value, expected) ? 1 : 2,
      );
      if ('failure' in agrees) return agrees.failure;
      if (agrees.value === 1) return undefined;
      return {
        verdict: 'wrong',
        message: 'another result',
        expected: cut(JSON.stringify(expected)),
        value: called.value,
      };
    });
  }

  /** Runs tests one after the other; a missing failure is a pass. */
  private each(count: number, test: (index: number) => Failure | undefined): TestOutcome[] {
    const outcomes: TestOutcome[] = [];
    for (let i = 0; i < count; i++) {
      this.session.machine.calls.memoryRefused = false;
      const failure = this.blameMemory(test(i));
      if (failure === undefined) {
        outcomes.push({ verdict: 'pass', message: '' });
        continue;
      }
      const { exception, value, ...outcome } = failure;
      const isFirst = outcomes.every(({ verdict }) => verdict === 'pass');
      if (isFirst && !this.session.broken && (exception ?? value) !== undefined)
        this.pending = { index: i, exception: exception ?? 0, value: value ?? 0, test: this.testText };
      const isAssert = outcome.verdict === 'wrong' && exception !== undefined;
      outcomes.push(
        isAssert && !this.testText.includes('\n') ? { ...outcome, message: cut(this.testText) } : outcome,
      );
      if (!this.options.failFast && !this.options.live) continue;
      const { verdict } = failure;
      while (outcomes.length < count) outcomes.push({ verdict, message: 'not run: an earlier test failed' });
      break;
    }
    return outcomes;
  }

  /**
   * An exception after the heap was refused more is memory's: CPython 3.14 loses the MemoryError of a string that grows
   * in place and goes on with a null object, which then fails as a TypeError of a type without a name.
   */
  private blameMemory(failure: Failure | undefined): Failure | undefined {
    if (failure?.verdict !== 'error' || !this.session.machine.calls.memoryRefused) return failure;
    return { verdict: 'memory', message: 'no memory left', errorType: 'MemoryError' };
  }

  /** Puts the memory back in the middle of a suite; what would have explained an earlier failure is gone with it. */
  private freshAgain(input?: Uint8Array, outputCapBytes = this.options.outputCapBytes): void {
    this.session.fresh(input, outputCapBytes);
    this.pending = undefined;
    this.probe = undefined;
  }
}
