import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedSpan, SPAN_BUCKETS, spanBucket } from '../../src/analyses/execretrieval/edited-span.ts';
import { spanCorrelation } from '../../src/analyses/execretrieval/slices.ts';

/** tests/golden/exec-spans.json: spans of 280 HumanEval mutants, restated in Python and checked against scipy. */
const golden = JSON.parse(readFileSync(new URL('../golden/exec-spans.json', import.meta.url), 'utf8')) as {
  items: { id: string; type: string; span: number; bucket: string; deceived: boolean }[];
  byBucket: Record<string, { n: number; deceived: number }>;
  byType: Record<string, { n: number; deceived: number }>;
  spearman: number;
};

const humanEval = new URL('../../../shared/data/HumanEval.jsonl.gz', import.meta.url);
const mutants = new URL('../../../shared/golden/oracle-humaneval.json', import.meta.url);

describe('edited spans', () => {
  it('fall into the golden buckets', () => {
    const byBucket: Record<string, { n: number; deceived: number }> = {};
    for (const { span, bucket, deceived } of golden.items) {
      expect(spanBucket(span)).toBe(bucket);
      const cell = (byBucket[bucket] ??= { n: 0, deceived: 0 });
      cell.n++;
      if (deceived) cell.deceived++;
    }
    expect(byBucket).toEqual(golden.byBucket);
    expect(Object.keys(golden.byBucket).sort()).toEqual([...SPAN_BUCKETS].sort());
  });

  it('go together with deception as scipy has it', () => {
    const rho = spanCorrelation(
      golden.items.map(({ id, type, span, deceived }) => ({
        queryId: id,
        distractorId: id,
        bugType: type,
        comparison: deceived ? 'deceived' : 'above',
        span,
      })),
    );
    expect(rho.value).toBeCloseTo(golden.spearman, 12);
  });

  it.skipIf(!existsSync(humanEval) || !existsSync(mutants))(
    'are the golden ones for all 280 mutants (skipped where HumanEval and the mutants are not at hand)',
    () => {
      const tasks = new Map(
        gunzipSync(readFileSync(humanEval))
          .toString('utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { task_id: string; prompt: string; canonical_solution: string })
          .map((task) => [task.task_id, task.prompt + task.canonical_solution]),
      );
      const edits = JSON.parse(readFileSync(mutants, 'utf8')) as {
        items: { id: string; task_id: string; start?: number; end?: number; replacement?: string }[];
      };
      const spans = new Map(golden.items.map(({ id, span }) => [id, span]));
      let compared = 0;
      for (const { id, task_id, start, end, replacement } of edits.items) {
        if (start === undefined) continue;
        const points = Array.from(tasks.get(task_id) as string);
        const mutant = [...points.slice(0, start), replacement ?? '', ...points.slice(end)].join('');
        expect(editedSpan(points.join(''), mutant), id).toBe(spans.get(id));
        compared++;
      }
      expect(compared).toBe(280);
    },
  );

  it('count code points, strip the prefix first, and are symmetric', () => {
    expect(editedSpan('a😀b', 'a😎b')).toBe(1);
    expect(editedSpan('aa', 'aaa')).toBe(1);
    expect(editedSpan('abc', 'abc')).toBe(0);
    expect(spanBucket(0)).toBeNull();
    expect(editedSpan('', 'abc')).toBe(3);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        const span = editedSpan(a, b);
        expect(span).toBe(editedSpan(b, a));
        expect(span === 0).toBe(a === b);
        expect(span).toBeLessThanOrEqual(Math.max(Array.from(a).length, Array.from(b).length));
      }),
    );
  });
});
