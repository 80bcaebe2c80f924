/**
 * Runs suites in a {@link Machine} and decides verdicts. The verdict of a test is what the C call that ran it returned
 * and, when it failed, the class of the exception, compared by address: both are read here, in JavaScript, by code that
 * the candidate has no name for. Python code of ours runs only afterwards, to word an explanation.
 */
import { BROKEN_TEST, type ShownFrame, type Suite, type TestOutcome } from '../../src/contracts/judge.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import { describeMissingModule, is32BitMessage } from './browser-limits.ts';
import { outputsAgree } from './outputs.ts';
import { Ended, Refused } from './python/system-calls.ts';
import type { Machine } from './python/machine.ts';
import { fromJson, matchesJson } from './python/values.ts';

const FILE_INPUT = 257;
const EVAL_INPUT = 258;
/** PyCF_SOURCE_IS_UTF8 | PyCF_IGNORE_COOKIE: what `exec` of a text uses. */
const SOURCE_FLAGS = 0x0100 | 0x0800;
const TEXT_LIMIT = 2_000;

/** Addresses, fixed when the image was made, of what the preparation left for the harness. */
export interface PreparedObjects {
  readonly explain: number;
  readonly suspicious: number;
  readonly notHere: number;
  readonly noProcess: number;
}

/** How one suite is run. */
export interface RunOptions {
  readonly details: boolean;
  readonly failFast: boolean;
  /** Stop at the first failure, keep what was printed, and show variables. */
  readonly live: boolean;
  readonly outputCapBytes: number;
  /** Called when all verdicts up to now are decided and code of the candidate may run again only to word an explanation. */
  readonly onDecided?: (outcomes: readonly TestOutcome[]) => void;
}

/** What running a suite gave. */
export interface RunResult {
  readonly outcomes: TestOutcome[];
  readonly remarks: string[];
  readonly ms: number;
  readonly output?: string;
}

/** A failure with the objects that would explain it: the exception, or the value that was not the right one. */
type Failure = TestOutcome & { readonly exception?: number; readonly value?: number };
type Step = { readonly failure: Failure } | { readonly value: number };

/** The judge of one machine. */
export class Harness {
  private readonly machine: Machine;
  private readonly objects: PreparedObjects;
  private readonly strings = new Map<string, number>();
  /** The interpreter was left in the middle of something; put it back before it is used again. */
  private broken = true;
  private options!: RunOptions;
  private readonly remarks = new Set<string>();
  /** The first failure, while the objects that would explain it still live. */
  private pending:
    | { readonly index: number; readonly exception: number; readonly value: number; readonly test: string }
    | undefined;
  private testText = '';
  /** Where a passing test could be asked again whether its result equals everything. */
  private probe: { readonly globals: number; readonly test: string; readonly code: string } | undefined;

  constructor(machine: Machine, objects: PreparedObjects) {
    this.machine = machine;
    this.objects = objects;
  }

  /** Runs a suite from a fresh state. Never throws for anything that the candidate does. */
  run(suite: Suite, options: RunOptions): RunResult {
    this.options = options;
    this.remarks.clear();
    const started = performance.now();
    this.fresh();
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
    this.explain(outcomes);
    this.suspect(outcomes);
    if (options.live && !this.broken) {
      const flush = this.compile('import sys\nsys.stdout.flush()', '<call>', FILE_INPUT);
      if ('value' in flush) this.execute(flush.value, this.newNamespace('closing'));
    }
    const { streams } = this.machine.calls;
    const result = { outcomes, remarks: [...this.remarks], ms: performance.now() - started };
    this.broken = true;
    if (!options.live) return result;
    return {
      ...result,
      output: new TextDecoder().decode(streams.output.subarray(0, streams.outputSize)).slice(0, 4_000),
    };
  }

  // ---- forms ----

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
      if (!this.broken && candidate !== undefined) return;
      if (this.broken) this.fresh();
      candidate = this.compile(code, '<candidate>', FILE_INPUT);
      compiled = tests.map((test) => this.compile(test, '<test>', FILE_INPUT));
      prepared = setup === undefined ? undefined : this.compile(setup, '<test>', FILE_INPUT);
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
        globals = this.newNamespace('candidate');
        const failure = this.execute(candidate.value, globals);
        if (failure !== undefined) return failure;
        if (prepared !== undefined) {
          if ('failure' in prepared) return inTest(prepared.failure);
          const failed = this.execute(prepared.value, globals);
          if (failed !== undefined) return failed;
        }
        if (namespace === 'shared') shared = globals;
      }
      this.probe = { globals, test: tests[i] as string, code };
      return this.execute(test.value, globals);
    });
  }

  private runCheck(code: string, test: string, entryPoint: string): TestOutcome[] {
    this.testText = test;
    return this.each(1, () => {
      const steps = [
        this.compile(code, '<candidate>', FILE_INPUT),
        this.compile(test, '<test>', FILE_INPUT),
        this.compile(`check(${entryPoint})`, '<call>', EVAL_INPUT),
      ];
      const globals = this.newNamespace('candidate');
      for (const step of steps) {
        const failure = 'failure' in step ? step.failure : this.execute(step.value, globals);
        if (failure !== undefined) return failure;
      }
      const entry = this.machine.call('PyDict_GetItemString', globals, this.string(entryPoint));
      if (entry !== 0) this.machine.call('PyDict_SetItemString', globals, this.string('candidate'), entry);
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
      this.fresh(
        encoder.encode(stdin),
        Math.max(this.options.outputCapBytes, encoder.encode(expected).length * 2),
      );
      const candidate = this.compile(code, '<candidate>', FILE_INPUT);
      if ('failure' in candidate) return candidate.failure;
      const globals = this.newNamespace('__main__');
      const failure = this.execute(candidate.value, globals, true);
      if (failure !== undefined) return failure;
      const closing = this.compile(
        'import atexit, sys\natexit._run_exitfuncs()\nsys.stdout.flush()',
        '<test>',
        FILE_INPUT,
      );
      if ('failure' in closing) return closing.failure;
      const unflushed = this.execute(closing.value, this.newNamespace('closing'), true);
      if (unflushed !== undefined) return unflushed;
      const { streams } = this.machine.calls;
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
      if (this.broken) {
        this.fresh();
        target = undefined;
      }
      if (target === undefined) {
        const candidate = this.compile(code, '<candidate>', FILE_INPUT);
        if ('failure' in candidate) return candidate.failure;
        const globals = this.newNamespace('candidate');
        const failure = this.execute(candidate.value, globals);
        if (failure !== undefined) return failure;
        const found = this.find(globals, entryPoint);
        if ('failure' in found) return found.failure;
        target = found.value;
      }
      const { args, expected } = calls[i] as { args: readonly unknown[]; expected: unknown };
      const callable = target;
      const called = this.guard(() => {
        const tuple = fromJson(this.machine, args, 'tuple');
        return tuple === 0 ? 0 : this.machine.call('PyObject_Call', callable, tuple, 0);
      });
      if ('failure' in called) return called.failure;
      const agrees = this.guard(() => (matchesJson(this.machine, called.value, expected) ? 1 : 2));
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
      const failure = test(i);
      if (failure === undefined) {
        outcomes.push({ verdict: 'pass', message: '' });
        continue;
      }
      const { exception, value, ...outcome } = failure;
      const isFirst = outcomes.every(({ verdict }) => verdict === 'pass');
      if (isFirst && !this.broken && (exception ?? value) !== undefined)
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

  // ---- steps ----

  private fresh(input: Uint8Array = new Uint8Array(0), outputCapBytes = this.options.outputCapBytes): void {
    this.machine.restore();
    this.machine.calls.reset(input, outputCapBytes);
    this.strings.clear();
    this.pending = undefined;
    this.probe = undefined;
    this.broken = false;
  }

  /** Runs a step of the interpreter; null results and thrown errors become failures. */
  private guard(step: () => number, programExit = false): Step {
    const { calls } = this.machine;
    try {
      const value = step();
      // A refusal or an exit that something swallowed on its way still counts.
      if (calls.refused !== undefined) throw calls.refused;
      if (calls.ended !== undefined) throw calls.ended;
      if (value !== 0) return { value };
      const exception = this.machine.call('PyErr_GetRaisedException');
      if (exception === 0) throw new WebAssembly.RuntimeError('a call failed without an exception');
      if (programExit && this.isCleanExit(exception)) return { value: 1 };
      return { failure: this.classify(exception) };
    } catch (thrown) {
      this.broken = true;
      return { failure: thrownOutcome(calls.refused ?? calls.ended ?? thrown) };
    }
  }

  private compile(source: string, file: string, mode: number): Step {
    if (source.includes('\0')) {
      return { failure: error('ValueError', 'source code string cannot contain null bytes') };
    }
    if (/\p{Surrogate}/u.test(source)) {
      return {
        failure: error(
          'UnicodeEncodeError',
          "'utf-8' codec can't encode a lone surrogate: surrogates not allowed",
        ),
      };
    }
    return this.guard(() => {
      const flags = this.machine.allocate(8);
      this.machine.setWord(flags, SOURCE_FLAGS);
      this.machine.setWord(flags + 4, 14);
      const text = this.machine.cString(source);
      return this.machine.call('Py_CompileStringExFlags', text, this.string(file), mode, flags, -1);
    });
  }

  private execute(code: number, globals: number, programExit = false): Failure | undefined {
    const step = this.guard(() => this.machine.call('PyEval_EvalCode', code, globals, globals), programExit);
    return 'failure' in step ? step.failure : undefined;
  }

  /** A new module's dictionary; the module is in `sys.modules`, so that pickle and dataclasses find it. */
  private newNamespace(name: string): number {
    const { machine } = this;
    const module = machine.call('PyModule_New', this.string(name));
    const globals = machine.call('PyModule_GetDict', module);
    machine.call('PyDict_SetItemString', machine.call('PyImport_GetModuleDict'), this.string(name), module);
    machine.call(
      'PyDict_SetItemString',
      globals,
      this.string('__builtins__'),
      machine.call('PyImport_AddModule', this.string('builtins')),
    );
    return globals;
  }

  /** The entry point: a name of the module, or a method of its class `Solution`. */
  private find(globals: number, entryPoint: string): Step {
    const { machine } = this;
    const direct = machine.call('PyDict_GetItemString', globals, this.string(entryPoint));
    if (direct !== 0) return { value: direct };
    const solution = machine.call('PyDict_GetItemString', globals, this.string('Solution'));
    if (solution === 0) return { failure: error('NameError', `name '${entryPoint}' is not defined`) };
    const object = this.guard(() => machine.call('PyObject_CallNoArgs', solution));
    if ('failure' in object) return object;
    return this.guard(() => machine.call('PyObject_GetAttrString', object.value, this.string(entryPoint)));
  }

  private string(text: string): number {
    let pointer = this.strings.get(text);
    if (pointer === undefined) this.strings.set(text, (pointer = this.machine.cString(text)));
    return pointer;
  }

  private unicode(object: number): string {
    return object === 0
      ? ''
      : this.machine.text(this.machine.call('PyUnicode_AsUTF8', object), TEXT_LIMIT * 4);
  }

  // ---- failures ----

  private isKind(exception: number, name: string): boolean {
    const { machine } = this;
    return (
      machine.call(
        'PyErr_GivenExceptionMatches',
        exception,
        machine.word(machine.address(`PyExc_${name}`)),
      ) === 1
    );
  }

  private isCleanExit(exception: number): boolean {
    if (!this.isKind(exception, 'SystemExit')) return false;
    const { machine } = this;
    const code = machine.call('PyObject_GetAttrString', exception, this.string('code'));
    if (code === 0) {
      machine.call('PyErr_Clear');
      return false;
    }
    const none = machine.address('_Py_NoneStruct');
    if (code === none) return true;
    const isInt = (machine.call('PyType_GetFlags', machine.word(code + 4)) & (1 << 24)) !== 0;
    return isInt && machine.call('PyLong_AsLong', code) === 0;
  }

  /** The verdict of an exception, from its class alone. */
  private classify(exception: number): Failure {
    const type = this.machine.word(exception + 4);
    const errorType = this.machine.text(this.machine.word(type + 12), 200).replace(/^.*\./u, '');
    const lines = this.lines(exception);
    const failure = (verdict: Verdict, message: string = errorType): Failure => ({
      verdict,
      message,
      ...(verdict === 'wrong' ? {} : { errorType }),
      ...lines,
      exception,
    });
    if (type === this.objects.notHere) {
      return failure('unsupported', this.firstArgument(exception) ?? 'something that a browser lacks');
    }
    if (type === this.objects.noProcess) return failure('unsupported', 'a browser has no processes');
    if (this.isKind(exception, 'AssertionError')) return failure('wrong');
    if (this.isKind(exception, 'MemoryError')) return failure('memory');
    if (this.isKind(exception, 'SystemExit')) return failure('exited');
    if (type === this.machine.word(this.machine.address('PyExc_ModuleNotFoundError'))) {
      const missing = describeMissingModule(this.attributeText(exception, 'name'));
      if (missing !== undefined) return failure('unsupported', missing);
    }
    if (
      type === this.machine.word(this.machine.address('PyExc_OverflowError')) ||
      type === this.machine.word(this.machine.address('PyExc_ValueError'))
    ) {
      // Only exact built-in classes: their text is made without the candidate's help unless it passed its own objects.
      const text = this.firstArgument(exception);
      if (text !== undefined && is32BitMessage(text)) {
        this.remarks.add('32-bit platform');
        return failure('platform-sensitive', `${errorType}: ${text}`);
      }
    }
    const said = this.saidByBuiltin(exception, type);
    if (said === undefined) return failure('error');
    return failure('error', cut(`${errorType}: ${errorType === 'KeyError' ? `'${said}'` : said}`));
  }

  /** What a built-in exception says, when that takes no code of the candidate to find out. */
  private saidByBuiltin(exception: number, type: number): string | undefined {
    const HEAP_TYPE = 1 << 9;
    if ((this.machine.call('PyType_GetFlags', type) & HEAP_TYPE) !== 0) return undefined;
    return this.firstArgument(exception);
  }

  /** The first argument of a built-in exception when it is a text. */
  private firstArgument(exception: number): string | undefined {
    const { machine } = this;
    const args = machine.call('PyException_GetArgs', exception);
    if (args === 0 || machine.call('PyTuple_Size', args) < 1) return undefined;
    const first = machine.call('PyTuple_GetItem', args, 0);
    return machine.word(first + 4) === machine.address('PyUnicode_Type') ? this.unicode(first) : undefined;
  }

  private attributeText(object: number, name: string): string {
    const value = this.machine.call('PyObject_GetAttrString', object, this.string(name));
    if (value === 0 || this.machine.word(value + 4) !== this.machine.address('PyUnicode_Type')) {
      this.machine.call('PyErr_Clear');
      return '';
    }
    return this.unicode(value);
  }

  /** Where the exception passed through the test and the candidate. */
  private lines(exception: number): { candidateLine?: number; testLine?: number } {
    const { machine } = this;
    const found: { candidateLine?: number; testLine?: number } = {};
    let step = machine.call('PyException_GetTraceback', exception);
    for (let i = 0; step !== 0 && i < 3_000; i++, step = machine.word(step + 8)) {
      const code = machine.call('PyFrame_GetCode', machine.word(step + 12));
      const file = this.attributeText(code, 'co_filename');
      if (file !== '<candidate>' && file !== '<test>') continue;
      const known = machine.word(step + 20) | 0;
      const line = known >= 0 ? known : machine.call('PyCode_Addr2Line', code, machine.word(step + 16));
      if (file === '<candidate>') found.candidateLine = line;
      else found.testLine = line;
    }
    if (
      this.isKind(exception, 'SyntaxError') &&
      found.candidateLine === undefined &&
      found.testLine === undefined
    ) {
      const line = machine.call('PyObject_GetAttrString', exception, this.string('lineno'));
      if (line !== 0 && machine.word(line + 4) === machine.address('PyLong_Type'))
        found.candidateLine = machine.call('PyLong_AsLong', line);
      machine.call('PyErr_Clear');
    }
    return found;
  }

  /**
   * Adds words to the first failure. Runs code of the candidate (`__repr__`, `__str__`) when everything is decided:
   * nothing that it does changes a verdict.
   */
  private explain(outcomes: TestOutcome[]): void {
    const { pending } = this;
    if (!this.options.details || pending === undefined || this.broken) return;
    const { machine } = this;
    const { index, exception, value, test } = pending;
    let outcome = outcomes[index] as TestOutcome;
    const isOwnKind = outcome.message === outcome.errorType;
    if (outcome.verdict !== 'wrong' && !isOwnKind && !this.options.live) return;
    this.options.onDecided?.(outcomes);
    if (value !== 0) {
      const text = this.guard(() => machine.call('PyObject_Repr', value));
      if ('value' in text) outcomes[index] = { ...outcome, got: cut(this.unicode(text.value)) };
      return;
    }
    if (isOwnKind && outcome.verdict === 'error') {
      const said = this.guard(() => machine.call('PyObject_Str', exception));
      const words = 'value' in said ? this.unicode(said.value) : '';
      if (words !== '') outcome = { ...outcome, message: cut(`${outcome.message}: ${words}`) };
      outcomes[index] = outcome;
    }
    if (this.broken || (outcome.verdict !== 'wrong' && !this.options.live)) return;
    const explained = this.guard(() => {
      const args = machine.call('PyTuple_New', 3);
      machine.call('Py_IncRef', exception);
      machine.call('PyTuple_SetItem', args, 0, exception);
      machine.call('PyTuple_SetItem', args, 1, machine.call('PyUnicode_FromString', machine.cString(test)));
      machine.call('PyTuple_SetItem', args, 2, machine.call('PyLong_FromLong', TEXT_LIMIT));
      return machine.call('PyObject_Call', this.objects.explain, args, 0);
    });
    if ('value' in explained) outcomes[index] = this.readExplanation(outcome, explained.value);
  }

  /** Remarks on a pass that any result would have got: an object that says that it equals everything. */
  private suspect(outcomes: readonly TestOutcome[]): void {
    const { probe, machine } = this;
    if (
      probe === undefined ||
      this.broken ||
      !this.options.details ||
      !/__eq__|__ne__|__getattr__/u.test(probe.code)
    )
      return;
    if (outcomes.some(({ verdict }) => verdict !== 'pass')) return;
    this.options.onDecided?.(outcomes);
    const answer = this.guard(() => {
      const args = machine.call('PyTuple_New', 2);
      machine.call(
        'PyTuple_SetItem',
        args,
        0,
        machine.call('PyUnicode_FromString', machine.cString(probe.test)),
      );
      machine.call('Py_IncRef', probe.globals);
      machine.call('PyTuple_SetItem', args, 1, probe.globals);
      return machine.call('PyObject_Call', this.objects.suspicious, args, 0);
    });
    if ('value' in answer && answer.value === machine.address('_Py_TrueStruct'))
      this.remarks.add('suspicious: a result that equals everything');
  }

  private readExplanation(outcome: TestOutcome, list: number): TestOutcome {
    const { machine } = this;
    const kind = (object: number): number => machine.word(object + 4);
    const isText = (object: number): boolean => kind(object) === machine.address('PyUnicode_Type');
    const items = (object: number): number[] => {
      const tuple = machine.call('PySequence_Tuple', object);
      if (tuple === 0) return [];
      return Array.from({ length: machine.call('PyTuple_Size', tuple) }, (_, i) =>
        machine.call('PyTuple_GetItem', tuple, i),
      );
    };
    const [statement = 0, expected = 0, got = 0, shown = 0] = items(list);
    const frames: ShownFrame[] = [];
    if (this.options.live && shown !== 0) {
      for (const frame of items(shown).slice(-100)) {
        const [file = 0, line = 0, name = 0, variables = 0] = items(frame);
        frames.push({
          where: this.unicode(file) === '<test>' ? 'test' : 'candidate',
          line: machine.call('PyLong_AsLong', line),
          name: this.unicode(name),
          variables: items(variables).map((pair) => {
            const [variable = 0, value = 0] = items(pair);
            return { name: this.unicode(variable), value: cut(this.unicode(value)) };
          }),
        });
      }
    }
    return {
      ...outcome,
      ...(isText(statement) ? { message: cut(this.unicode(statement)) } : {}),
      ...(isText(expected) ? { expected: cut(this.unicode(expected)) } : {}),
      ...(isText(got) ? { got: cut(this.unicode(got)) } : {}),
      ...(this.options.live ? { frames } : {}),
    };
  }
}

function inTest(failure: Failure): Failure {
  return { ...failure, message: `${BROKEN_TEST}${failure.message}` };
}

function error(errorType: string, message: string): Failure {
  return { verdict: 'error', message: `${errorType}: ${message}`, errorType };
}

/** The verdict of what was thrown through the interpreter instead of an exception of Python. */
function thrownOutcome(thrown: unknown): Failure {
  if (thrown instanceof Refused)
    return { verdict: 'unsupported', message: thrown.message, errorType: thrown.what };
  if (thrown instanceof Ended) {
    return thrown.how === 'exit'
      ? { verdict: 'exited', message: `os._exit(${thrown.status})`, errorType: 'os._exit' }
      : { verdict: 'crashed', message: 'the interpreter aborted', errorType: 'abort' };
  }
  if (thrown instanceof RangeError) {
    return /call stack/iu.test(thrown.message)
      ? error('RecursionError', 'the stack of the browser is full')
      : { verdict: 'memory', message: 'no memory left', errorType: 'MemoryError' };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    verdict: 'crashed',
    message: cut(`the interpreter died: ${message.slice(0, 300)}`),
    errorType: 'crash',
  };
}

function cut(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT - 1)}…` : text;
}
