/** Words for what has been decided: expected, got, variables, remarks. Nothing here changes a verdict. */
import type { ShownFrame, TestOutcome } from '../../src/contracts/judge.ts';
import { cut, TEXT_LIMIT } from './failures.ts';
import type { Session } from './session.ts';

/** The first failure, while the objects that would explain it still live. */
export interface Pending {
  readonly index: number;
  /** The exception's address, or 0. */
  readonly exception: number;
  /** The address of a value that was not the right one, or 0. */
  readonly value: number;
  readonly test: string;
}

/** Where a passing test could be asked again whether its result equals everything. */
export interface Probe {
  readonly globals: number;
  readonly test: string;
  readonly code: string;
}

/** Which words are wanted. */
export interface ExplainOptions {
  readonly details: boolean;
  readonly live: boolean;
  /** Called when all verdicts are decided and code of the candidate may run again only to word an explanation. */
  readonly onDecided?: (outcomes: readonly TestOutcome[]) => void;
}

/** Finds words in a session whose suite is over. */
export class Explainer {
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /**
   * Adds words to the first failure. Runs code of the candidate (`__repr__`, `__str__`) when everything is decided:
   * nothing that it does changes a verdict.
   */
  explainFirst(outcomes: TestOutcome[], pending: Pending | undefined, options: ExplainOptions): void {
    const { session } = this;
    const { machine } = session;
    if (!options.details || pending === undefined || session.broken) return;
    const { index, exception, value, test } = pending;
    let outcome = outcomes[index] as TestOutcome;
    const isOwnKind = outcome.message === outcome.errorType;
    if (outcome.verdict !== 'wrong' && !isOwnKind && !options.live) return;
    options.onDecided?.(outcomes);
    if (value !== 0) {
      const text = session.guard(() => machine.call('PyObject_Repr', value));
      if ('value' in text) outcomes[index] = { ...outcome, got: cut(session.failures.unicode(text.value)) };
      return;
    }
    if (isOwnKind && outcome.verdict === 'error') {
      const said = session.guard(() => machine.call('PyObject_Str', exception));
      const words = 'value' in said ? session.failures.unicode(said.value) : '';
      if (words !== '') outcome = { ...outcome, message: cut(`${outcome.message}: ${words}`) };
      outcomes[index] = outcome;
    }
    if (session.broken || (outcome.verdict !== 'wrong' && !options.live)) return;
    const explained = session.guard(() => {
      const args = machine.call('PyTuple_New', 3);
      machine.call('Py_IncRef', exception);
      machine.call('PyTuple_SetItem', args, 0, exception);
      machine.call('PyTuple_SetItem', args, 1, machine.call('PyUnicode_FromString', machine.cString(test)));
      machine.call('PyTuple_SetItem', args, 2, machine.call('PyLong_FromLong', TEXT_LIMIT));
      return machine.call('PyObject_Call', session.objects.explain, args, 0);
    });
    if ('value' in explained) outcomes[index] = this.read(outcome, explained.value, options.live);
  }

  /** Remarks on a pass that any result would have got: an object that says that it equals everything. */
  isSuspicious(outcomes: readonly TestOutcome[], probe: Probe | undefined, options: ExplainOptions): boolean {
    const { session } = this;
    const { machine } = session;
    if (
      probe === undefined ||
      session.broken ||
      !options.details ||
      !/__eq__|__ne__|__getattr__/u.test(probe.code)
    )
      return false;
    if (outcomes.some(({ verdict }) => verdict !== 'pass')) return false;
    options.onDecided?.(outcomes);
    const answer = session.guard(() => {
      const args = machine.call('PyTuple_New', 2);
      machine.call(
        'PyTuple_SetItem',
        args,
        0,
        machine.call('PyUnicode_FromString', machine.cString(probe.test)),
      );
      machine.call('Py_IncRef', probe.globals);
      machine.call('PyTuple_SetItem', args, 1, probe.globals);
      return machine.call('PyObject_Call', session.objects.suspicious, args, 0);
    });
    return 'value' in answer && answer.value === machine.address('_Py_TrueStruct');
  }

  private read(outcome: TestOutcome, list: number, live: boolean): TestOutcome {
    const { session } = this;
    const { machine } = session;
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
    if (live && shown !== 0) {
      for (const frame of items(shown).slice(-100)) {
        const [file = 0, line = 0, name = 0, variables = 0] = items(frame);
        frames.push({
          where: session.failures.unicode(file) === '<test>' ? 'test' : 'candidate',
          line: machine.call('PyLong_AsLong', line),
          name: session.failures.unicode(name),
          variables: items(variables).map((pair) => {
            const [variable = 0, value = 0] = items(pair);
            return { name: session.failures.unicode(variable), value: cut(session.failures.unicode(value)) };
          }),
        });
      }
    }
    return {
      ...outcome,
      ...(isText(statement) ? { message: cut(session.failures.unicode(statement)) } : {}),
      ...(isText(expected) ? { expected: cut(session.failures.unicode(expected)) } : {}),
      ...(isText(got) ? { got: cut(session.failures.unicode(got)) } : {}),
      ...(live ? { frames } : {}),
    };
  }
}
