/** The interpreter as suites use it: compile, execute, call; null results and thrown errors become failures. */
import { error, FailureReader, thrownOutcome, type Failure, type PreparedObjects } from './failures.ts';
import type { Machine } from './python/machine.ts';

/** How Python reads a text: as a file's content, or as one expression. */
export const FILE_INPUT = 257;
export const EVAL_INPUT = 258;
/** PyCF_SOURCE_IS_UTF8 | PyCF_IGNORE_COOKIE: what `exec` of a text uses. */
const SOURCE_FLAGS = 0x0100 | 0x0800;

/** What a step gave: the address of an object, or why there is none. */
export type Step = { readonly failure: Failure } | { readonly value: number };

/** One machine, put back to its baseline before it is used for anything new. */
export class Session {
  readonly machine: Machine;
  readonly objects: PreparedObjects;
  readonly failures: FailureReader;
  /** The interpreter was left in the middle of something; put it back before it is used again. */
  broken = true;
  private readonly strings = new Map<string, number>();

  constructor(machine: Machine, objects: PreparedObjects) {
    this.machine = machine;
    this.objects = objects;
    this.failures = new FailureReader(machine, objects, (text) => this.string(text));
  }

  /** Puts memory and files back. `input` is what the candidate reads on standard input. */
  fresh(input: Uint8Array = new Uint8Array(0), outputCapBytes = 65_536): void {
    this.machine.restore();
    this.machine.calls.reset(input, outputCapBytes);
    this.strings.clear();
    this.broken = false;
  }

  /** Runs a step of the interpreter; null results and thrown errors become failures. */
  guard(step: () => number, programExit = false): Step {
    const { calls } = this.machine;
    try {
      const value = step();
      // A refusal or an exit that something swallowed on its way still counts.
      if (calls.refused !== undefined) throw calls.refused;
      if (calls.ended !== undefined) throw calls.ended;
      if (value !== 0) return { value };
      const exception = this.machine.call('PyErr_GetRaisedException');
      if (exception === 0) throw new WebAssembly.RuntimeError('a call failed without an exception');
      if (programExit && this.failures.isCleanExit(exception)) return { value: 1 };
      return { failure: this.failures.classify(exception) };
    } catch (thrown) {
      this.broken = true;
      return { failure: thrownOutcome(calls.refused ?? calls.ended ?? thrown) };
    }
  }

  /** Compiles a text; `file` is the name that its lines are reported under. */
  compile(source: string, file: string, mode: number): Step {
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

  /** Runs compiled code in a namespace; undefined when nothing failed. */
  execute(code: number, globals: number, programExit = false): Failure | undefined {
    const step = this.guard(() => this.machine.call('PyEval_EvalCode', code, globals, globals), programExit);
    return 'failure' in step ? step.failure : undefined;
  }

  /** A new module's dictionary; the module is in `sys.modules`, so that pickle and dataclasses find it. */
  newNamespace(name: string): number {
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
  find(globals: number, entryPoint: string): Step {
    const { machine } = this;
    const direct = machine.call('PyDict_GetItemString', globals, this.string(entryPoint));
    if (direct !== 0) return { value: direct };
    const solution = machine.call('PyDict_GetItemString', globals, this.string('Solution'));
    if (solution === 0) return { failure: error('NameError', `name '${entryPoint}' is not defined`) };
    const object = this.guard(() => machine.call('PyObject_CallNoArgs', solution));
    if ('failure' in object) return object;
    return this.guard(() => machine.call('PyObject_GetAttrString', object.value, this.string(entryPoint)));
  }

  /** The address of a copy of the text, kept until the memory is put back. */
  string(text: string): number {
    let pointer = this.strings.get(text);
    if (pointer === undefined) this.strings.set(text, (pointer = this.machine.cString(text)));
    return pointer;
  }
}
