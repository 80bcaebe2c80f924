import { describe, expect, it } from 'vitest';
import { chooseFiles, roleOf, subsetsOf } from '../../src/sources/layouts/file-roles.ts';

describe('what a file of a benchmark is', () => {
  it.each([
    ['corpus.jsonl', 'corpus', '', ''],
    ['scifact/qrels/test.tsv', 'qrels', 'test', 'scifact'],
    ['data/LEVEL-2/sub/repo/corpus.jsonl.gz', 'corpus', '', 'repo'],
    ['corpus/corpus-00001-of-00004.parquet', 'corpus', '', ''],
    ['corpus/test-00000-of-00001.parquet', 'corpus', 'test', ''],
    ['default/validation-00000-of-00001.parquet', 'qrels', 'validation', ''],
    ['python-queries/queries-00000-of-00001.parquet', 'queries', '', 'python'],
    ['go-qrels/test-00000-of-00001.parquet', 'qrels', 'test', 'go'],
    ['cosqa-queries-corpus/data/queries-00000-of-00001.parquet', 'queries', '', 'cosqa'],
    ['cosqa-queries-corpus/data/corpus-00000-of-00001.parquet', 'corpus', '', 'cosqa'],
    ['cosqa-qrels/data/test-00000-of-00001.parquet', 'qrels', 'test', 'cosqa'],
  ])('%s', (path, role, split, subset) => {
    expect(roleOf(path)).toEqual({ path, role, split, subset });
  });

  it.each(['README.md', 'results/model.json', 'embeddings/a.npz', 'data/train-00000-of-00001.parquet'])(
    '%s: nothing',
    (path) => {
      expect(roleOf(path)).toBeUndefined();
    },
  );

  it('chooses one part and the test split, shards in order', () => {
    const paths = [
      'b-qrels/test.tsv',
      'a-qrels/train.tsv',
      'a-qrels/dev.tsv',
      'queries.jsonl',
      'corpus/corpus-00001-of-00002.parquet',
      'corpus/corpus-00000-of-00002.parquet',
    ];
    expect(subsetsOf(paths)).toEqual(['a', 'b']);
    expect(chooseFiles(paths, 'a')).toEqual({
      corpus: ['corpus/corpus-00000-of-00002.parquet', 'corpus/corpus-00001-of-00002.parquet'],
      queries: ['queries.jsonl'],
      qrels: ['a-qrels/dev.tsv'],
      split: 'dev',
    });
  });
});
