/** What a failed test is called: read from the class of its exception, or from what was thrown through the interpreter. */
import { BROKEN_TEST, type TestOutcome } from '../../src/contracts/judge.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import { describeMissingModule, is32BitMessage } from './browser-limits.ts';
import type { Machine } from './python/machine.ts';
import { Ended, Refused } from './python/system-calls.ts';

/** Longest text of anything that is shown. */
export const TEXT_LIMIT = 2_000;

/** Set in a class's flags when Python code made it; built-in classes lack it. */
const HEAP_TYPE = 1 << 9;

/** Addresses, fixed when the image was made, of what the preparation left for the harness. */
export interface PreparedObjects {
  readonly explain: number;
  readonly suspicious: number;
  readonly notHere: number;
  readonly noProcess: number;
}

/** A failure with the objects that would explain it: the exception, or the value that was not the right one. */
export type Failure = TestOutcome & { readonly exception?: number; readonly value?: number };

/** Reads exceptions of one machine. Runs no code of the candidate. */
export class FailureReader {
  private readonly machine: Machine;
  private readonly objects: PreparedObjects;
  private readonly string: (text: string) => number;

  /** `string` gives the address of a kept copy of a text. */
  constructor(machine: Machine, objects: PreparedObjects, string: (text: string) => number) {
    this.machine = machine;
    this.objects = objects;
    this.string = string;
  }

  /** The text of a Python `str`, or '' for the null address. */
  unicode(object: number): string {
    return object === 0
      ? ''
      : this.machine.text(this.machine.call('PyUnicode_AsUTF8', object), TEXT_LIMIT * 4);
  }

  isKind(exception: number, name: string): boolean {
    const { machine } = this;
    return (
      machine.call(
        'PyErr_GivenExceptionMatches',
        exception,
        machine.word(machine.address(`PyExc_${name}`)),
      ) === 1
    );
  }

  /** Whether a program left with status 0 or none. */
  isCleanExit(exception: number): boolean {
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
  classify(exception: number): Failure {
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
        return failure('platform-sensitive', `${errorType}: ${text}`);
      }
    }
    const said = this.saidByBuiltin(exception, type);
    if (said === undefined) return failure('error');
    return failure('error', cut(`${errorType}: ${errorType === 'KeyError' ? `'${said}'` : said}`));
  }

  private isBuiltin(type: number): boolean {
    return (this.machine.call('PyType_GetFlags', type) & HEAP_TYPE) === 0;
  }

  /** What a built-in exception says, when that takes no code of the candidate to find out. */
  private saidByBuiltin(exception: number, type: number): string | undefined {
    return this.isBuiltin(type) ? this.firstArgument(exception) : undefined;
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
      this.isBuiltin(machine.word(exception + 4)) &&
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
}

/** The failure of a test that is itself at fault. */
export function inTest(failure: Failure): Failure {
  return { ...failure, message: `${BROKEN_TEST}${failure.message}` };
}

/** A failure that is found before Python is asked. */
export function error(errorType: string, message: string): Failure {
  return { verdict: 'error', message: `${errorType}: ${message}`, errorType };
}

/** The verdict of what was thrown through the interpreter instead of an exception of Python. */
export function thrownOutcome(thrown: unknown): Failure {
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

/** The text, cut to {@link TEXT_LIMIT}. */
export function cut(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT - 1)}…` : text;
}
