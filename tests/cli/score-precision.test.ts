import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { searchFiles } from '../../cli/search/search-files.ts';
import { writeNpy, type NpyFloat } from '../../src/codecs/npy.ts';
import { readRun } from '../../src/codecs/run-reader.ts';
import { findProtocol, scoreRun } from '../../src/protocols/index.ts';
import type { Ranking } from '../../src/domain/ranking.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-precision-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function write(content: string | Uint8Array): string {
  const file = path.join(folder, `${++files}`);
  writeFileSync(file, content);
  return file;
}

/** Searches vectors of a dtype and reads the exported run back. */
async function searched(
  query: readonly number[],
  documents: Readonly<Record<string, readonly number[]>>,
  dtype: NpyFloat,
): Promise<Ranking> {
  const matrix = (rows: readonly (readonly number[])[]): string =>
    write(
      writeNpy({ rows: rows.length, columns: query.length, values: Float32Array.from(rows.flat()) }, dtype),
    );
  let run = '';
  await searchFiles(
    {
      documents: matrix(Object.values(documents)),
      queries: matrix([query]),
      ids: write(`${Object.keys(documents).join('\n')}\n`),
      queryIds: write('q\n'),
      k: 10,
      similarity: 'dot',
      threads: 1,
      tag: 'test',
    },
    new AbortController().signal,
    (text) => (run += text),
  );
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(run);
  }
  return (await readRun({ name: 'own export', stream })).run.get('q') as Ranking;
}

describe('precision from vectors to metrics (pitfalls, row 15)', () => {
  it('half-precision vectors are widened before they are multiplied: their products are no half-precision numbers', async () => {
    // 1 + 2^-14 is 1 in half precision; then the ids would decide, and `z` would stand first.
    const { documentIds, scores } = await searched([1, 2 ** -4], { a: [1, 2 ** -10], z: [1, 0] }, 'float16');
    expect(documentIds).toEqual(['a', 'z']);
    expect([...scores]).toEqual([1 + 2 ** -14, 1]);
  });

  it('what half precision cannot tell apart is a tie that ids settle; float32 vectors keep the difference', async () => {
    const documents = { lower: [0.81235], equal: [0.8125] };
    const half = await searched([1], documents, 'float16');
    expect(half).toMatchObject({ documentIds: ['lower', 'equal'], scores: Float64Array.of(0.8125, 0.8125) });
    const single = await searched([1], documents, 'float32');
    expect(single.documentIds).toEqual(['equal', 'lower']);
    const qrels = new Map([['q', new Map([['equal', 1]])]]);
    const rr = (ranking: Ranking): number | null | undefined =>
      scoreRun(findProtocol('trec'), { run: new Map([['q', ranking]]), qrels, measures: ['RR'] }).mean
        .values[0];
    expect([rr(half), rr(single)]).toEqual([0.5, 1]);
  });

  it('an exported run reads back with the scores that double arithmetic gives', async () => {
    let state = 7;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const vector = (): number[] => Array.from({ length: 8 }, next);
    const documents = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}`, vector()]));
    const query = vector();
    const ranking = await searched(query, documents, 'float32');
    const f32 = query.map(Math.fround);
    const exact = Object.values(documents).map((values) =>
      values.reduce((sum, value, i) => sum + Math.fround(value) * (f32[i] as number), 0),
    );
    expect(ranking.documentIds).toHaveLength(10);
    ranking.documentIds.forEach((id, i) =>
      expect(ranking.scores[i]).toBeCloseTo(exact[Number(id.slice(1))] as number, 15),
    );
  });
});
