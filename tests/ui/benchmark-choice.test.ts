import { describe, expect, it } from 'vitest';
import { BENCHMARKS } from '../../src/benchmarks/list.ts';
import type { StoredBenchmark } from '../../src/contracts/data.ts';
import { choiceOfDefinition, ownChoices } from '../../src/ui/benchmark-choice.ts';

const stored = (id: string, more: Partial<StoredBenchmark> = {}): StoredBenchmark => ({
  id,
  name: id,
  digest: 'd',
  parts: { documents: 'd', queries: 'd', qrels: 'd' },
  documentsSet: 'documents:d',
  queriesSet: 'queries:d',
  qrelsSet: 'qrels:d',
  counts: { documents: 10, queries: 2, judgements: 2 },
  protocolId: 'execretrieval',
  source: 'a folder',
  warnings: [],
  execution: { tasksSet: 'execution:d' },
  ...more,
});

describe('benchmark choices', () => {
  it('offers own data once, and neither declared benchmarks nor what was cut from one', () => {
    const own = ownChoices(
      [
        stored('mine'),
        stored('exec-mini'),
        stored('mine', { digest: 'older' }),
        stored('mine/queries=2', { cutFrom: { digest: 'd', queries: 2 } }),
        stored('core-bench-l2/django'),
      ],
      [{ id: 'exec-mini' }, { id: 'core-bench-l2' }],
    );
    expect(own).toEqual([
      expect.objectContaining({ id: 'mine', documents: 10, queries: 2, downloadBytes: 0, place: 'own' }),
    ]);
  });

  it('says which cannot be run here', () => {
    const { execution: _, ...graded } = stored('graded');
    expect(ownChoices([graded], [])[0]?.refused).toMatch(/no tests to execute/);
    expect(BENCHMARKS.map(choiceOfDefinition)[0]).toMatchObject({ id: 'exec-mini', place: 'bundled' });
  });
});
