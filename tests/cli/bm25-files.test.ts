import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bm25Files, type Bm25FilesOptions } from '../../cli/lexical/bm25-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-bm25-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, rows: readonly unknown[]): string {
  const target = path.join(folder, name);
  writeFileSync(target, rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
  return target;
}

async function run(change: Partial<Bm25FilesOptions> = {}): Promise<string[][]> {
  let output = '';
  await bm25Files(
    {
      corpus: file('corpus.jsonl', [
        { _id: 7, title: 'sorting', text: 'quickSort of a list' },
        { _id: 'b', text: 'binary search' },
        { _id: 'c', title: '', text: 'sort, sort, sort' },
      ]),
      queries: file('queries.jsonl', [
        { _id: 'q1', text: 'sort' },
        { _id: 'q2', text: 'sort', filtered_corpus_id: ['b', '7'] },
      ]),
      k: 2,
      variant: 'lucene',
      tokenizer: 'code',
      template: 'title-space-text-stripped',
      statistics: 'corpus',
      tag: 't',
      ...change,
    },
    new AbortController().signal,
    (text) => (output += text),
  );
  return output
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

describe('assay bm25', () => {
  it('writes a run: ids as written, parts of names found, the visible documents only', async () => {
    const lines = await run();
    expect(lines.map(([query, , document, rank]) => `${query} ${document} ${rank}`)).toEqual([
      'q1 c 1',
      'q1 7 2',
      'q2 7 1',
      'q2 b 2',
    ]);
    expect(
      lines.every(([, q0, , , score, tag]) => q0 === 'Q0' && tag === 't' && Number.isFinite(Number(score))),
    ).toBe(true);
  });

  it('takes lists of visible documents from a file, where pairs name all that is seen', async () => {
    const lines = await run({ visible: file('visible.tsv', ['q1\tb']) });
    expect(lines.map(([query, , document]) => `${query} ${document}`)).toEqual(['q1 b']);
  });

  it('takes titles only when asked', async () => {
    const query = file('title.jsonl', [{ _id: 'q', text: 'sorting' }]);
    expect((await run({ queries: query, k: 1 }))[0]?.[2]).toBe('7');
    expect(Number((await run({ queries: query, k: 1, template: 'text' }))[0]?.[4])).toBe(0);
  });

  it('names file, line and value of what it refuses', async () => {
    const twice = file('twice.jsonl', [
      { _id: 'x', text: 'a' },
      { _id: 'x', text: 'b' },
    ]);
    await expect(run({ corpus: twice })).rejects.toThrow(/twice\.jsonl, line 2: the id "x" occurs twice/);
    await expect(run({ corpus: file('bad.jsonl', ['{"_id":"x"', '']) })).rejects.toThrow(
      /bad\.jsonl.*line 1/,
    );
    await expect(run({ corpus: path.join(folder, 'none.jsonl') })).rejects.toThrow(/no file .*none\.jsonl/);
    await expect(run({ b: 2 })).rejects.toThrow(/b between 0 and 1/);
  });
});
