/**
 * The coordinator: a worker in the sandbox frame that owns the interpreters' workers and the deadline clock (timers of
 * hidden frames are slowed, those of workers are not). It is handed suites by the page and answers with verdicts.
 *
 * A suite that is over its deadline costs its worker: it is ended at once and the booted spare takes its place.
 */
import type { TestOutcome } from '../../src/contracts/judge.ts';
import type { BootMessage, FromInterpreter, RunMessage, ToInterpreter } from './interpreter.worker.ts';
import type { FromCoordinator, SuiteOrder, ToCoordinator } from './protocol.ts';

/** A worker that holds more than this is replaced: its memory never shrinks. */
const RECYCLE_BYTES = 160 * 1024 * 1024;
/** Suites after which a worker is replaced in any case. */
const RECYCLE_SUITES = 4_000;
/** A decided suite whose explanation is not ready by then keeps its verdict without it. */
const EXPLAIN_MS = 1_000;

interface Running {
  readonly order: SuiteOrder;
  timer: ReturnType<typeof setTimeout> | undefined;
  startedMs: number;
  decided: readonly TestOutcome[] | undefined;
}

interface Interpreter {
  readonly worker: Worker;
  readonly environment: 1 | 2;
  state: 'booting' | 'ready' | 'ended';
  suites: number;
  running: Running | undefined;
  /** Handed over while another still runs, so that the worker need not wait for the next one. */
  next: SuiteOrder | undefined;
}

type Start = Extract<ToCoordinator, { t: 'start' }>;

let start: Start | undefined;
let port: MessagePort | undefined;
let interpreters: Interpreter[] = [];
const queue: SuiteOrder[] = [];
let alone: SuiteOrder[] = [];
let bootFailures = 0;

function say(message: FromCoordinator): void {
  port?.postMessage(message);
}

function boot(environment: 1 | 2): Interpreter {
  const { module, library, image, prepare, workerUrl } = start as Start;
  const worker = new Worker(workerUrl);
  const interpreter: Interpreter = {
    worker,
    environment,
    state: 'booting',
    suites: 0,
    running: undefined,
    next: undefined,
  };
  worker.onmessage = ({ data }: MessageEvent<FromInterpreter>) => onMessage(interpreter, data);
  worker.onerror = (event) => {
    event.preventDefault();
    onDeath(interpreter, `the worker failed: ${event.message}`);
  };
  const message: BootMessage =
    environment === 1 ? { t: 'boot', module, library, image } : { t: 'boot', module, library, prepare };
  send(interpreter, message);
  interpreters.push(interpreter);
  return interpreter;
}

function send(interpreter: Interpreter, message: ToInterpreter): void {
  interpreter.worker.postMessage(message);
}

function end(interpreter: Interpreter): void {
  interpreter.state = 'ended';
  if (interpreter.running?.timer !== undefined) clearTimeout(interpreter.running.timer);
  interpreter.worker.terminate();
  interpreters = interpreters.filter((each) => each !== interpreter);
  if (interpreter.next !== undefined) queue.unshift(interpreter.next);
}

function onMessage(interpreter: Interpreter, message: FromInterpreter): void {
  if (interpreter.state === 'ended') return;
  switch (message.t) {
    case 'booted':
      interpreter.state = 'ready';
      bootFailures = 0;
      say({ t: 'ready', bootMs: message.bootMs });
      break;
    case 'failed':
      onDeath(interpreter, message.message);
      return;
    case 'decided':
      if (interpreter.running?.order.n === message.n) {
        interpreter.running.decided = message.outcomes;
        arm(interpreter, EXPLAIN_MS);
      }
      return;
    case 'done': {
      const { running } = interpreter;
      if (running === undefined || running.order.n !== message.n) return;
      if (running.timer !== undefined) clearTimeout(running.timer);
      interpreter.running = undefined;
      interpreter.suites += 1;
      const { outcomes, remarks, ms, output } = message;
      say({
        t: 'result',
        n: message.n,
        outcomes,
        remarks,
        ms,
        expired: false,
        ...(output === undefined ? {} : { output }),
      });
      if (message.memoryBytes > RECYCLE_BYTES || interpreter.suites >= RECYCLE_SUITES) {
        end(interpreter);
      } else if (interpreter.next !== undefined) {
        begin(interpreter, interpreter.next);
        interpreter.next = undefined;
      }
      break;
    }
  }
  schedule();
}

function onDeath(interpreter: Interpreter, reason: string): void {
  if (interpreter.state === 'ended') return;
  const { running } = interpreter;
  const wasBooting = interpreter.state === 'booting';
  end(interpreter);
  if (running !== undefined) {
    const crashed = { verdict: 'crashed', message: 'the interpreter died', errorType: 'crash' } as const;
    finishBroken(running, crashed, false);
  }
  if (wasBooting && ++bootFailures >= 3) {
    say({ t: 'failed', message: reason });
    return;
  }
  schedule();
}

/** Reports a suite whose worker is gone: what was decided stays, the rest gets the reason's outcome. */
function finishBroken(running: Running, outcome: TestOutcome, expired: boolean): void {
  const { order, decided } = running;
  const outcomes = [...(decided ?? [])];
  while (outcomes.length < order.tests) outcomes.push(outcome);
  say({
    t: 'result',
    n: order.n,
    outcomes,
    remarks: [],
    ms: performance.now() - running.startedMs,
    expired: expired && decided === undefined,
  });
}

function arm(interpreter: Interpreter, limitMs: number): void {
  const { running } = interpreter;
  if (running === undefined) return;
  if (running.timer !== undefined) clearTimeout(running.timer);
  running.timer = setTimeout(() => {
    if (interpreter.running !== running || interpreter.state === 'ended') return;
    end(interpreter);
    const message = `over ${running.order.limitMs.toFixed(0)} ms`;
    finishBroken(running, { verdict: 'timeout', message }, true);
    schedule();
  }, limitMs);
}

function begin(interpreter: Interpreter, order: SuiteOrder): void {
  interpreter.running = { order, timer: undefined, startedMs: performance.now(), decided: undefined };
  arm(interpreter, order.limitMs);
}

function hand(interpreter: Interpreter, order: SuiteOrder): void {
  const message: RunMessage = { t: 'run', n: order.n, suite: order.suite, options: order.options };
  send(interpreter, message);
}

/** Keeps workers booted and busy. */
function schedule(): void {
  if (start === undefined) return;
  const { workers } = start;
  const of = (environment: 1 | 2): Interpreter[] =>
    interpreters.filter((each) => each.environment === environment);
  // One more than may work at a time: the spare.
  while (of(1).length < workers + 1) boot(1);
  const wantsSecond =
    queue.some((each) => each.environment === 2) || alone.some((each) => each.environment === 2);
  if (wantsSecond && of(2).length === 0) boot(2);

  const busy = (): number => interpreters.filter((each) => each.running !== undefined).length;
  const idle = (environment: 1 | 2): Interpreter | undefined =>
    interpreters.find(
      (each) => each.environment === environment && each.state === 'ready' && each.running === undefined,
    );
  // A suite that must run alone waits until nothing else runs, and nothing else begins before it is done.
  if (alone.length > 0 && queue.length === 0) {
    const order = alone[0] as SuiteOrder;
    const interpreter = idle(order.environment);
    if (busy() === 0 && interpreter !== undefined) {
      alone.shift();
      begin(interpreter, order);
      hand(interpreter, order);
    }
    return;
  }
  for (let i = 0; i < queue.length && busy() < workers;) {
    const order = queue[i] as SuiteOrder;
    const interpreter = idle(order.environment);
    if (interpreter === undefined) {
      i += 1;
      continue;
    }
    queue.splice(i, 1);
    begin(interpreter, order);
    hand(interpreter, order);
  }
  for (const interpreter of interpreters) {
    if (interpreter.running === undefined || interpreter.next !== undefined || queue.length === 0) continue;
    const order = queue[0] as SuiteOrder;
    if (order.environment !== interpreter.environment) continue;
    queue.shift();
    interpreter.next = order;
    hand(interpreter, order);
  }
}

function cancel(numbers: ReadonlySet<number>): void {
  for (let i = queue.length - 1; i >= 0; i--) if (numbers.has((queue[i] as SuiteOrder).n)) queue.splice(i, 1);
  alone = alone.filter((each) => !numbers.has(each.n));
  for (const interpreter of [...interpreters]) {
    if (interpreter.next !== undefined && numbers.has(interpreter.next.n)) {
      // It is already in the worker's inbox: the worker goes, whatever it runs starts again elsewhere.
      interpreter.next = undefined;
      const { running } = interpreter;
      end(interpreter);
      if (running !== undefined && !numbers.has(running.order.n)) queue.unshift(running.order);
    } else if (interpreter.running !== undefined && numbers.has(interpreter.running.order.n)) {
      end(interpreter);
    }
  }
  schedule();
}

function onOrder(message: ToCoordinator): void {
  switch (message.t) {
    case 'start':
      start = message;
      break;
    case 'judge':
      for (const order of message.orders) (order.alone ? alone : queue).push(order);
      break;
    case 'cancel':
      cancel(new Set(message.numbers));
      return;
  }
  schedule();
}

self.onmessage = ({ data, ports }: MessageEvent<Extract<ToCoordinator, { t: 'start' }>>): void => {
  port = ports[0];
  if (port === undefined) return;
  port.onmessage = (event: MessageEvent<ToCoordinator>) => onOrder(event.data);
  onOrder(data);
};
