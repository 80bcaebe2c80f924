import { describe, expect, test } from 'vitest';
import { describeMissingModule, is32BitMessage } from '../../../workers/judge/browser-limits.ts';
import { outputsAgree } from '../../../workers/judge/outputs.ts';
import {
  combineEnvironments,
  countTests,
  mayDependOnWordSize,
  timeFactor,
  withOrderOfLargeNumbers,
} from '../../../src/clients/judge-rules.ts';
import {
  fromSandboxSchema,
  type Suite,
  type SuiteResult,
  type TestOutcome,
} from '../../../src/contracts/judge.ts';
import { safeParse } from 'valibot';

function result(...tests: TestOutcome[]): SuiteResult {
  return {
    id: 'x',
    verdict: tests.find(({ verdict }) => verdict !== 'pass')?.verdict ?? 'pass',
    tests,
    ms: 1,
  };
}
const pass: TestOutcome = { verdict: 'pass', message: '' };
const wrong: TestOutcome = { verdict: 'wrong', message: 'assert f() == 1' };

describe('rules of the oracle', () => {
  test('outputs agree up to white space, not up to lines', () => {
    expect(outputsAgree(' a  b \r\nc\n\n', 'a b\nc')).toBe(true);
    expect(outputsAgree('', '\n')).toBe(true);
    expect(outputsAgree('a b', 'a\nb')).toBe(false);
    expect(outputsAgree('1', '1.0')).toBe(false);
  });

  test('only modules that exist elsewhere are missing; others are a mistake', () => {
    expect(describeMissingModule('numpy.linalg')).toMatch(/numpy/u);
    expect(describeMissingModule('resource')).toMatch(/resource/u);
    expect(describeMissingModule('js')).toBeUndefined();
    expect(describeMissingModule('nump')).toBeUndefined();
    expect(describeMissingModule('')).toBeUndefined();
  });

  test('messages about 32-bit sizes are known, others are not', () => {
    expect(is32BitMessage("cannot fit 'int' into an index-sized integer")).toBe(true);
    expect(is32BitMessage('Python int too large to convert to C ssize_t')).toBe(true);
    expect(is32BitMessage('int too large to convert to float')).toBe(false);
    expect(is32BitMessage('x cannot fit int')).toBe(false);
  });

  test('the time factor is at least 3, at most 30, and half as much again as measured', () => {
    expect(timeFactor([1, 1, 1])).toBe(3);
    expect(timeFactor([120, 60, 60])).toBe(7.5);
    expect(timeFactor([1e6])).toBe(30);
    expect(timeFactor([])).toBe(3);
  });

  test('every form counts its tests', () => {
    const base = { id: 'x', code: '' };
    const suites: Suite[] = [
      { ...base, form: 'asserts', tests: ['assert 1', 'assert 2'] },
      { ...base, form: 'check', test: '', entryPoint: 'f' },
      { ...base, form: 'io', io: [{ stdin: '', stdout: '' }] },
      { ...base, form: 'calls', entryPoint: 'f', calls: [] },
    ];
    expect(suites.map(countTests)).toEqual([2, 1, 1, 0]);
  });

  test('environments that disagree make a test platform-sensitive, addresses of objects do not', () => {
    expect(
      combineEnvironments(result(pass, pass), result(pass, wrong)).tests.map(({ verdict }) => verdict),
    ).toEqual(['pass', 'platform-sensitive']);
    const shown = (got: string): SuiteResult => result({ ...wrong, got });
    expect(combineEnvironments(shown('[1, 2]'), shown('[2, 1]')).verdict).toBe('platform-sensitive');
    expect(combineEnvironments(shown('<A at 0x12ab>'), shown('<A at 0x99ff>')).verdict).toBe('wrong');
    expect(combineEnvironments(result(pass), result(pass)).verdict).toBe('pass');
  });

  test('another order of numbers beyond 31 bits is the platform’s, another number is wrong', () => {
    const shown = (expected: string, got: string): string =>
      withOrderOfLargeNumbers(result({ ...wrong, expected, got })).verdict;
    expect(shown('[8589934592, 3]', '[3, 8589934592]')).toBe('platform-sensitive');
    expect(shown('[2, 3]', '[3, 2]')).toBe('wrong');
    expect(shown('[8589934592, 3]', '[3, 8589934593]')).toBe('wrong');
  });

  test('only failures that name a size of the machine are asked about again', () => {
    const suite = (code: string): Suite => ({ form: 'asserts', id: 'x', code, tests: ['assert f() == 1'] });
    expect(mayDependOnWordSize(suite('import sys\nf = lambda: sys.maxsize'), result(wrong))).toBe(true);
    expect(mayDependOnWordSize(suite('import sys\nf = lambda: sys.maxsize'), result(pass))).toBe(false);
    expect(mayDependOnWordSize(suite('f = lambda: hash(1)'), result(wrong))).toBe(true);
    expect(mayDependOnWordSize(suite('f = lambda: rehash'), result(wrong))).toBe(false);
  });

  test('the page takes nothing from the sandbox but what the contract names', () => {
    const good = { t: 'result', n: 1, outcomes: [pass], ms: 1, expired: false, remarks: [] };
    const takes = (message: unknown): boolean => safeParse(fromSandboxSchema, message).success;
    expect(takes(good)).toBe(true);
    for (const bad of [
      null,
      'result',
      { ...good, t: 'eval' },
      { ...good, n: -1 },
      { ...good, n: '1' },
      { ...good, outcomes: [{ verdict: 'great', message: '' }] },
      { ...good, outcomes: [{ verdict: 'pass', message: 'x'.repeat(20_001) }] },
      { ...good, outcomes: 'pass' },
      { ...good, remarks: Array.from({ length: 21 }, () => '') },
      { t: 'ready' },
      { t: 'failed', message: 1 },
    ])
      expect(takes(bad)).toBe(false);
  });
});
