import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SuiteResult } from '../../src/contracts/judge.ts';
import type { ExecuteSuites } from '../../src/construct/exec/outcomes.ts';
import { AppError } from '../../src/domain/app-error.ts';
import type { JudgeRequest } from '../../src/run/headless/requests.ts';
import { runInPage } from '../browser/page-session.ts';

/** Executes suites in the page's sandbox in headless Chromium, one session a call. */
export function executeInPage(signal: AbortSignal): ExecuteSuites {
  return async (suites, timeoutMs) => {
    if (suites.length === 0) return [];
    const scratch = mkdtempSync(path.join(tmpdir(), 'assay-construct-'));
    const results: SuiteResult[] = [];
    try {
      const file = path.join(scratch, 'suites.jsonl');
      writeFileSync(
        file,
        suites.map(({ id, code, tests }) => `${JSON.stringify({ id, code, tests })}\n`).join(''),
      );
      const request: JudgeRequest = { kind: 'judge', options: { timeoutMs, secondPass: false } };
      await runInPage(request, {
        files: new Map([['suites.jsonl', file]]),
        signal,
        onProgress: (lot) => {
          results.push(...(lot as readonly SuiteResult[]));
          if (process.stderr.isTTY) process.stderr.write(`\rexecuted ${results.length} of ${suites.length}`);
        },
      });
      if (process.stderr.isTTY) process.stderr.write('\n');
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
    if (results.length !== suites.length)
      throw new AppError(
        'judge',
        'results-missing',
        `The page answered ${results.length} of ${suites.length} suites.`,
      );
    return results;
  };
}
