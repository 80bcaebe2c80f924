import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBundleHeader } from '../../../src/construct/repo/bundle.ts';
import { hunksBetween, similarity, touchedPieces } from '../../../src/construct/repo/change.ts';
import { chunkFile, linesOf, MOST_LINES } from '../../../src/construct/repo/chunk-file.ts';
import { ALL_GRAMMARS, kindOf, type FileKind } from '../../../src/construct/repo/languages.ts';
import { intentOf, judgeQuery, requestOf } from '../../../src/construct/repo/request-text.ts';
import type { SyntaxParsers } from '../../../src/construct/syntax/syntax-parsers.ts';
import { openParsers } from '../parsers.ts';

let parsers: SyntaxParsers;
beforeAll(async () => {
  parsers = await openParsers(ALL_GRAMMARS);
});

const piecesOf = (path: string, text: string): string[] => {
  const lines = linesOf(text);
  return chunkFile(text, kindOf(path) as FileKind, parsers).map(({ first, last }) =>
    lines.slice(first - 1, last).join('\n'),
  );
};

describe('pieces', () => {
  it.each([
    [
      'a.py',
      'import os\n\n# adds\n@cache\ndef f(a):\n    return a\n\n\ndef g(b):\n    return b\n',
      ['import os', '# adds\n@cache\ndef f(a):\n    return a', 'def g(b):\n    return b'],
    ],
    [
      'a.go',
      'package a\n\n// F is.\nfunc F() int {\n\treturn 1\n}\n\nfunc G() int {\n\treturn 2\n}\n',
      ['package a', '// F is.\nfunc F() int {\n\treturn 1\n}', 'func G() int {\n\treturn 2\n}'],
    ],
    [
      'a.js',
      'const x = 1;\nfunction f() {\n  return 1;\n}\nexport function g() {\n  return 2;\n}\n',
      ['const x = 1;', 'function f() {\n  return 1;\n}', 'export function g() {\n  return 2;\n}'],
    ],
    [
      'a.ts',
      'interface A {\n  b: string;\n}\nclass C {\n  m(): void {\n    f();\n  }\n}\n',
      ['interface A {\n  b: string;\n}', 'class C {\n  m(): void {\n    f();\n  }\n}'],
    ],
    [
      'a.rs',
      'use a::b;\n\n/// Adds.\n#[inline]\nfn f() -> i32 {\n    1\n}\nstruct S {\n    a: i32,\n}\n',
      ['use a::b;', '/// Adds.\n#[inline]\nfn f() -> i32 {\n    1\n}', 'struct S {\n    a: i32,\n}'],
    ],
    [
      'a.rb',
      'require "a"\n\ndef f\n  1\nend\n\ndef g\n  2\nend\n',
      ['require "a"', 'def f\n  1\nend', 'def g\n  2\nend'],
    ],
    [
      'a.c',
      '#include <a.h>\n\nint f(void) {\n  return 1;\n}\n\nint g(void) {\n  return 2;\n}\n',
      ['#include <a.h>', 'int f(void) {\n  return 1;\n}', 'int g(void) {\n  return 2;\n}'],
    ],
    [
      'a.md',
      'Intro\n# One\ntext\n```\n# no heading\n```\n## Two\nmore\n',
      ['Intro', '# One\ntext\n```\n# no heading\n```', '## Two\nmore'],
    ],
    ['a.rst', 'Title\n=====\n\ntext\n\nNext\n----\nmore\n', ['Title\n=====\n\ntext', 'Next\n----\nmore']],
    ['a.toml', 'a = 1\nb = 2\n', ['a = 1\nb = 2']],
    ['empty.py', '', []],
  ])('cuts %s', (path, text, wanted) => {
    expect(piecesOf(path, text)).toEqual(wanted);
  });

  it.each([
    ['java', '  int NAME() {\n    return 1;\n  }'],
    ['cpp', '  int NAME() {\n    return 1;\n  }'],
    ['php', '  function NAME() {\n    return 1;\n  }'],
    ['swift', '  func NAME() -> Int {\n    return 1\n  }'],
    ['ts', '  NAME(): number {\n    return 1;\n  }'],
    ['py', '    def NAME(self):\n        a = 1\n        return a'],
  ])('cuts methods of a long class of %s apart and leaves a short one whole', (extension, method) => {
    const classOf = (count: number): string => {
      const methods = Array.from({ length: count }, (_, at) => method.replace('NAME', `m${at}`)).join('\n\n');
      const open = extension === 'py' ? 'class A:' : 'class A {';
      const close = { py: '', cpp: '\n};' }[extension] ?? '\n}';
      return `${extension === 'php' ? '<?php\n' : ''}${open}\n${methods}${close}\n`;
    };
    const long = piecesOf(`a.${extension}`, classOf(20));
    expect(long.filter((piece) => piece.includes('return 1') || piece.includes('return a')).length).toBe(20);
    for (const piece of long) expect(piece.match(/return/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(piecesOf(`a.${extension}`, classOf(3)).filter((piece) => piece.includes('return'))).toHaveLength(
      1,
    );
  });

  it('cover every line once, are short, and depend on the text alone', () => {
    const line = fc.constantFrom(
      '',
      'def f(a):',
      '    return a',
      'class B:',
      '    def m(self):',
      '        pass',
      'x = [',
      ']',
      '# note',
      'if x:',
      '"""',
      '@d',
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 300 }),
        fc.constantFrom('a.py', 'a.md', 'a.txt', 'a.rb'),
        (lines, path) => {
          const text = lines.join('\n');
          const kind = kindOf(path) as FileKind;
          const spans = chunkFile(text, kind, parsers);
          expect(chunkFile(text, kind, parsers)).toEqual(spans);
          const owners = linesOf(text).map(
            (_, at) => spans.filter(({ first, last }) => first <= at + 1 && at + 1 <= last).length,
          );
          linesOf(text).forEach((content, at) => {
            expect(owners[at]).toBeLessThanOrEqual(1);
            if (content.trim() !== '') expect(owners[at]).toBe(1);
          });
          // A lone bracket that joins the piece before may make it longer, a little.
          for (const { first, last } of spans) expect(last - first + 1).toBeLessThanOrEqual(MOST_LINES + 40);
        },
      ),
      { numRuns: process.env['ASSAY_LONG'] === '1' ? 2_000 : 60 },
    );
  });

  it('leaves generated and unknown files out', () => {
    for (const path of ['a.min.js', 'package-lock.json', 'vendor/x.go', 'a_pb2.py', 'logo.png', 'LICENSE'])
      expect(kindOf(path)).toBeUndefined();
  });
});

describe('changes', () => {
  it('gives edits and insertions by their lines before', () => {
    expect(hunksBetween('a\nb\nc\n', 'a\nB\nc\nd\n')).toEqual([
      { kind: 'edit', base: { first: 2, last: 2 }, added: 1 },
      { kind: 'insertion', after: 3, added: 1 },
    ]);
    expect(hunksBetween('', 'a\n')).toEqual([{ kind: 'insertion', after: 0, added: 1 }]);
  });

  it('makes the piece around an insertion gold, and none when it lies between two', () => {
    const pieces = [
      { first: 1, last: 3 },
      { first: 4, last: 6 },
    ];
    expect(touchedPieces(pieces, [{ kind: 'insertion', after: 2, added: 1 }])).toEqual([0]);
    expect(touchedPieces(pieces, [{ kind: 'insertion', after: 3, added: 1 }])).toEqual([]);
    expect(touchedPieces(pieces, [{ kind: 'edit', base: { first: 3, last: 4 }, added: 0 }])).toEqual([0, 1]);
  });

  it('hunks rebuild the text after from the text before', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks =
          hunksBetween(before.map((l) => `${l}\n`).join(''), after.map((l) => `${l}\n`).join('')) ?? [];
        const removed = new Set(
          hunks.flatMap((h) =>
            h.kind === 'edit'
              ? Array.from({ length: h.base.last - h.base.first + 1 }, (_, i) => h.base.first + i)
              : [],
          ),
        );
        const kept = before.filter((_, at) => !removed.has(at + 1));
        // What is kept is a common subsequence, and what is added makes up the rest.
        let at = 0;
        for (const line of after) if (line === kept[at]) at += 1;
        expect(at).toBe(kept.length);
        expect(kept.length + hunks.reduce((sum, h) => sum + h.added, 0)).toBe(after.length);
      }),
    );
  });

  it('measures renames by common lines', () => {
    expect(similarity('a\nb\nc\nd\n', 'a\nb\nx\ny\n')).toBe(0.5);
    expect(similarity('', 'a')).toBe(0);
  });
});

describe('requests', () => {
  it.each([
    [
      'Merge pull request #5 from a/b\n\nShow a better message\n\nBecause.',
      'Show a better message',
      'Because.',
    ],
    ['Fix crash (#12)\n\nIt crashed.\n\nSigned-off-by: A <a@b.c>\nCloses #3', 'Fix crash', 'It crashed.'],
  ])('reads %j', (message, title, body) => {
    expect(requestOf(message)).toMatchObject({ title, body });
  });

  it.each([
    ['release version 2.0', 'meaningless'],
    ['typo', 'meaningless'],
    ['The parser in src/a.py fails on tabs', 'leak'],
    ['Use the new name\n\ndiff --git a/x b/x', 'leak'],
    ['Tabs break it\n\nreturn compute(value, strict=True)', 'leak'],
    ['The parser fails on tabs', 'keep'],
  ])('judges %j as %s', (text, verdict) => {
    const facts = {
      author: 'A',
      goldPaths: ['src/a.py'],
      addedLines: new Set(['return compute(value, strict=True)']),
    };
    expect(judgeQuery(text, facts).verdict).toBe(verdict);
  });

  it.each([
    ['Crash when the list is empty', 'bug report'],
    ['Add support for colours', 'feature request'],
    ['Refactor the parser', 'refactoring'],
    ['Why is the default 3?', 'question'],
    ['Describe options in the docs', 'documentation'],
  ])('files %j as %s', (text, intent) => {
    expect(intentOf(text, ['src/a.py'])).toBe(intent);
  });
});

describe('bundles', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  it.each([
    ['hello\n', 'its first line is "hello"'],
    ['# v2 git bundle\n', 'its header does not end'],
    ['# v2 git bundle\nnonsense\n\n', 'line 2 of its header'],
    [`# v2 git bundle\n${'a'.repeat(40)} HEAD\n\nNOPE`, 'no pack follows'],
    ['# v3 git bundle\n@object-format=sha256\n\nPACK', 'only sha1'],
  ])('refuses %j', (text, message) => {
    expect(() => readBundleHeader(bytes(text))).toThrow(message);
  });

  it('reads refs, prerequisites and the number of objects', () => {
    const header = bytes(
      `# v2 git bundle\n-${'b'.repeat(40)} base\n${'a'.repeat(40)} refs/heads/main\n\nPACK`,
    );
    const file = new Uint8Array([...header, 0, 0, 0, 2, 0, 0, 1, 4]);
    expect(readBundleHeader(file)).toMatchObject({
      refs: [{ id: 'a'.repeat(40), name: 'refs/heads/main' }],
      prerequisites: ['b'.repeat(40)],
      objects: 260,
    });
  });
});
