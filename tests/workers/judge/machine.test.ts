/** The interpreter in Node, on programs of our own only: candidates never run outside the browser. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Suite } from '../../../src/contracts/judge.ts';
import { Harness, type RunOptions } from '../../../workers/judge/harness.ts';
import { decodeImage, encodeImage, startPrepared } from '../../../workers/judge/python/image.ts';
import { LIBRARY_PATH, Machine } from '../../../workers/judge/python/machine.ts';
import { FIRST_WORLD, SECOND_WORLD } from '../../../workers/judge/python/world.ts';
import { fromJson, matchesJson } from '../../../workers/judge/python/values.ts';

const built = path.resolve(import.meta.dirname, '../../../build/judge');
const ready = existsSync(path.join(built, 'manifest.json'));
if (!ready) console.log('skipped: build/judge is not there (node scripts/build-judge.mjs makes it)');

let module: WebAssembly.Module;
let library: Uint8Array;
let machine: Machine;
let harness: Harness;
const options: RunOptions = { details: true, failFast: false, live: false, outputCapBytes: 65_536 };

beforeAll(async () => {
  if (!ready) return;
  const pyodide = path.dirname(createRequire(import.meta.url).resolve('pyodide'));
  module = await WebAssembly.compile(readFileSync(path.join(pyodide, 'pyodide.asm.wasm')));
  library = new Uint8Array(readFileSync(path.join(built, 'library.bin')));
  const file = new Uint8Array(gunzipSync(readFileSync(path.join(built, 'image.bin'))));
  const { image, objects } = decodeImage(file);
  // Byte by byte, but not by an assertion that formats nine million numbers.
  expect(Buffer.compare(encodeImage({ image, objects }), file)).toBe(0);
  machine = await Machine.create(module, new Map([[LIBRARY_PATH, library]]), FIRST_WORLD);
  machine.setBaseline(image);
  harness = new Harness(machine, objects);
});

function asserts(code: string, ...tests: string[]): Suite {
  return { form: 'asserts', id: 'x', code, tests };
}

describe.skipIf(!ready)('the interpreter', () => {
  test('after any suite the memory is the baseline again, byte for byte, also after growth', () => {
    const copy = (): Uint8Array => {
      machine.restore();
      return new Uint8Array(machine.memory.buffer).slice();
    };
    const before = copy();
    for (const code of [
      'import math\nmath.pi = 3\nkeep = list(range(100000))\n',
      'import sys, asyncio, logging\nsys.setrecursionlimit(5000)\n',
      'keep = [bytearray(2 ** 20) for _ in range(60)]\n',
      'raise ValueError\n',
      // Deep in the stack of the C code: a parser that calls itself.
      'try:\n    eval("(" * 150 + ")" * 150)\nexcept Exception: pass\nimport json\ntry:\n    json.loads("[" * 900)\nexcept Exception: pass\n',
      'import sys\nsys.setrecursionlimit(10 ** 6)\ndef f(): return repr(A())\nclass A:\n    def __repr__(self): return f()\nf()\n',
    ]) {
      harness.run(asserts(code, 'assert True'), options);
      const after = copy();
      expect(Buffer.compare(after.subarray(0, before.length), before)).toBe(0);
      const grown = after.subarray(before.length);
      expect(Buffer.compare(grown, new Uint8Array(grown.length))).toBe(0);
    }
  });

  test('imports nothing that leads to JavaScript: every import that is not implemented throws', () => {
    const imports = machine.calls.importsFor(module);
    const bridge = WebAssembly.Module.imports(module).filter(({ name }) =>
      /^(js2python|python2js|Js|js|raw_call_js|pyproxy)/iu.test(name),
    );
    expect(bridge.length).toBeGreaterThan(80);
    for (const { module: from, name } of bridge) {
      const call = imports[from]?.[name] as () => unknown;
      expect(call, name).toThrow(/the sandbox has no/u);
    }
    machine.calls.reset(new Uint8Array(0), 0);
  });

  test('verdicts and their words', () => {
    const { outcomes } = harness.run(
      asserts(
        'def f(n):\n    if n > 2:\n        return [][n]\n    return n\n',
        'assert f(1) == 1',
        'assert f(2) == 3',
        'assert f(3) == 3',
      ),
      options,
    );
    expect(outcomes).toEqual([
      { verdict: 'pass', message: '' },
      { verdict: 'wrong', message: 'assert f(2) == 3', expected: '3', got: '2', testLine: 1 },
      {
        verdict: 'error',
        message: 'IndexError: list index out of range',
        errorType: 'IndexError',
        candidateLine: 3,
        testLine: 1,
      },
    ]);
  });

  test('the second environment differs where platforms do', { timeout: 60_000 }, async () => {
    const second = await startPrepared(
      module,
      library,
      readFileSync(path.join(built, 'prepare.txt'), 'utf8'),
      SECOND_WORLD,
      1,
    );
    second.machine.setBaseline(second.machine.capture());
    const other = new Harness(second.machine, second.objects);
    const suite = asserts(
      'import sys, time, math\n',
      'assert sys.maxsize == 2 ** 31 - 1',
      'assert hash("abc") == -1600925533',
      'assert time.localtime(0).tm_hour == 0',
      'assert math.sin(1.5) == 0.9974949866040544',
      'assert math.sqrt(2) ** 2 != 2 and len("abc") == 3',
    );
    expect(harness.run(suite, options).outcomes.map(({ verdict }) => verdict)).toEqual([
      'pass',
      'pass',
      'pass',
      'pass',
      'pass',
    ]);
    expect(other.run(suite, options).outcomes.map(({ verdict }) => verdict)).toEqual([
      'wrong',
      'wrong',
      'wrong',
      'wrong',
      'pass',
    ]);
  });

  test('JSON values go in and come out as they are', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 2 }), (value, other) => {
        machine.restore();
        const object = fromJson(machine, value);
        expect(matchesJson(machine, object, value)).toBe(true);
        if (JSON.stringify(value) !== JSON.stringify(other) && typeof value === 'string')
          expect(matchesJson(machine, object, other)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test('a test that holds for anything is remarked on', () => {
    const equal = 'class A:\n    def __eq__(self, other): return True\ndef f(): return A()\n';
    expect(harness.run(asserts(equal, 'assert f() == 1'), options)).toMatchObject({
      outcomes: [{ verdict: 'pass' }],
      remarks: ['suspicious: a result that equals everything'],
    });
    const honest =
      'class A:\n    def __eq__(self, other): return isinstance(other, int)\ndef f(): return A()\n';
    expect(harness.run(asserts(honest, 'assert f() == 1'), options).remarks).toEqual([]);
  });
});
