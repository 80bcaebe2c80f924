import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { Suite, SuiteResult } from '../../src/contracts/judge.ts';
import { AppError, messageOf } from '../../src/domain/app-error.ts';
import type { JudgeRequest } from '../../src/run/headless/requests.ts';
import { decodeSuiteLines } from '../../src/run/suite-lines.ts';
import { runInPage } from '../browser/page-session.ts';
import { interruptSignal } from '../interrupt.ts';

interface JudgeCommandOptions {
  readonly timeoutMs: number;
  readonly secondPass: boolean;
}

/** `assay judge`: suites in, verdicts out, decided in the page's sandbox. Candidates never run outside the browser. */
export function register(program: Command): void {
  program
    .command('judge')
    .argument('<file>', 'suites as JSON Lines; - for standard input')
    .description('run Python candidates against their tests, one JSON object a line in and out')
    .option('--timeout-ms <N>', 'limit for a whole suite, in the time of CPython', wholeMilliseconds, 5_000)
    .option('--second-pass', 'run each suite in a second environment too and name what depends on it', false)
    .addHelpText(
      'after',
      `
A line is one of
  {"id","code","tests":["assert f(1) == 2", …]}            each assert with the source executed anew
  {"id","code","tests":[…],"setup","namespace":"shared"}    one namespace, set-up after the source (MBPP)
  {"id","code","test":"def check(candidate): …","entry_point"}
  {"id","code","io":[{"stdin","stdout"}, …]}
  {"id","code","entry_point","calls":[{"args":[…],"expected"}, …]}

Examples:
  npm run assay -- judge suites.jsonl > verdicts.jsonl
  head -1 suites.jsonl | npm run --silent assay -- judge - --timeout-ms 2000`,
    )
    .action(judge);
}

async function judge(file: string, options: JudgeCommandOptions): Promise<void> {
  const text = readInput(file);
  // Parsed here too: bad input is said before a browser is started.
  const suites = decodeSuiteLines(text);
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay-judge-'));
  const interrupt = interruptSignal();
  try {
    const suitesFile = path.join(scratch, 'suites.jsonl');
    writeFileSync(suitesFile, text);
    const request: JudgeRequest = {
      kind: 'judge',
      options: { timeoutMs: options.timeoutMs, secondPass: options.secondPass },
    };
    let printed = 0;
    await runInPage(request, {
      files: new Map([['suites.jsonl', suitesFile]]),
      signal: interrupt.signal,
      onProgress: (lot) => {
        for (const result of lot as readonly SuiteResult[]) {
          console.log(JSON.stringify(resultLine(suites[printed] as Suite, result)));
          printed += 1;
        }
        if (process.stderr.isTTY) process.stderr.write(`\rjudged ${printed} of ${suites.length}`);
      },
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    else console.error(`judged ${printed} suites`);
  } catch (thrown) {
    if (!interrupt.signal.aborted) throw thrown;
    console.error('Interrupted. The lines printed so far are final.');
    process.exitCode = 130;
  } finally {
    interrupt.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** One line of output: the result, and for programs and calls the counts that contest benchmarks report. */
function resultLine(suite: Suite, result: SuiteResult): Record<string, unknown> {
  const { ms, ...rest } = result;
  const line = { ...rest, ms: Math.round(ms * 100) / 100 };
  if (suite.form !== 'io' && suite.form !== 'calls') return line;
  const passed = result.tests.filter(({ verdict }) => verdict === 'pass').length;
  return {
    ...line,
    passed: result.verdict === 'pass',
    pass_rate: passed / result.tests.length,
    test_passed: passed,
    test_total: result.tests.length,
  };
}

function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (thrown) {
    throw new AppError('input', 'unreadable', `${file} cannot be read: ${messageOf(thrown)}.`, {
      cause: thrown,
    });
  }
}

function wholeMilliseconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 3_600_000)
    throw new InvalidArgumentError('It must be a whole number of milliseconds from 1 to 3600000.');
  return value;
}
