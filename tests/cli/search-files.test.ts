import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { searchFiles, type SearchFilesOptions } from '../../cli/search/search-files.ts';
import { writeNpy } from '../../src/codecs/npy.ts';
import type { Similarity } from '../../src/contracts/search.ts';

interface Case {
  readonly name: string;
  readonly dims: number;
  readonly score: Similarity;
  readonly k: number;
  readonly ids: readonly string[];
  readonly queries: string;
  readonly docs: string;
  readonly queryCount: number;
  readonly docCount: number;
  readonly visible?: readonly string[];
  readonly excluded?: readonly string[];
  readonly refused?: readonly string[];
  readonly results: readonly { readonly ids: readonly string[]; readonly scores: readonly number[] }[];
}

const { cases } = JSON.parse(readFileSync(new URL('../golden/topk.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[];
};
const folder = mkdtempSync(path.join(tmpdir(), 'assay-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function floats(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function write(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

async function runOf(options: SearchFilesOptions): Promise<{ run: string; said: string }> {
  let run = '';
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    await searchFiles(options, new AbortController().signal, (text) => (run += text));
    return { run, said: said.mock.calls.flat().join('\n') };
  } finally {
    said.mockRestore();
  }
}

function optionsOf(one: Case): SearchFilesOptions {
  const matrix = (rows: number, base64: string) =>
    writeNpy({ rows, columns: one.dims, values: floats(base64) });
  const visible = one.visible?.map((bits, query): [string, string[]] => [
    String(query),
    one.ids.filter((_, row) => bits[row] === '1'),
  ]);
  return {
    documents: write('D.npy', matrix(one.docCount, one.docs)),
    queries: write('Q.npy', matrix(one.queryCount, one.queries)),
    ids: write('ids.txt', `${one.ids.join('\n')}\n`),
    k: one.k,
    similarity: one.score,
    threads: 1,
    tag: 'test',
    ...(visible ? { visible: write('visible.json', JSON.stringify(Object.fromEntries(visible))) } : {}),
    ...(one.excluded
      ? { exclude: write('exclude.tsv', one.excluded.map((id, query) => `${query}\t${id}\n`).join('')) }
      : {}),
  };
}

describe('assay search', () => {
  it.each(cases)('$name, as a TREC run', async (one) => {
    const { run, said } = await runOf(optionsOf(one));
    const found = new Map<string, { id: string; score: number }[]>();
    for (const line of run.split('\n').filter((text) => text !== '')) {
      const [query, q0, id, rank, score, tag] = line.split(' ') as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      const list = found.get(query) ?? [];
      found.set(query, list);
      list.push({ id, score: Number(score) });
      expect([q0, Number(rank), tag]).toEqual(['Q0', list.length, 'test']);
    }
    one.results.forEach(({ ids, scores }, query) => {
      const list = found.get(String(query)) ?? [];
      expect(list.map(({ id }) => id)).toEqual(ids);
      list.forEach(({ score }, i) => {
        const wanted = scores[i] as number;
        if (one.score === 'dot') expect(score).toBe(wanted);
        else expect(Math.abs(score - wanted)).toBeLessThanOrEqual(1e-15 * Math.abs(wanted));
      });
    });
    for (const id of one.refused ?? []) expect(said).toContain(`document ${id} `);
  });

  const small = {
    documents: write(
      'small-D.npy',
      writeNpy({ rows: 3, columns: 2, values: Float32Array.of(1, 0, 0.5, 0.5, 0, 0) }),
    ),
    queries: write('small-Q.npy', writeNpy({ rows: 2, columns: 2, values: Float32Array.of(1, 0, 0, 1) })),
    k: 3,
    similarity: 'cosine' as const,
    threads: 1,
    tag: 'assay',
  };

  it('numbers rows from 0 where there are no ids, and takes float16', async () => {
    const documents = write(
      'half.npy',
      writeNpy({ rows: 3, columns: 2, values: Float32Array.of(1, 0, 0.5, 0.5, 0, 0) }, 'float16'),
    );
    const { run } = await runOf({ ...small, documents });
    expect(run.split('\n')[0]).toBe('0 Q0 0 1 1.0000000000000000 assay');
    expect(run.split('\n').map((line) => line.split(' ')[2])).toEqual([
      '0',
      '1',
      '2',
      '1',
      '2',
      '0',
      undefined,
    ]);
  });

  it('a file of pairs hides what it does not list; a JSON object leaves unnamed queries alone; both are said', async () => {
    const pairs = await runOf({ ...small, visible: write('pairs.tsv', '0\t1\n0\tnone\n9\t1\n') });
    expect(pairs.run.trim().split('\n')).toHaveLength(1);
    expect(pairs.said).toMatch(/does not name 1 of the queries: they see no document/);
    expect(pairs.said).toMatch(/1 entries name documents that do not exist/);
    expect(pairs.said).toMatch(/1 queries are not searched \(first: 9\)/);
    const named = await runOf({ ...small, visible: write('named.json', '{"0": []}') });
    expect(
      named.run
        .trim()
        .split('\n')
        .map((line) => line[0]),
    ).toEqual(['1', '1', '1']);
    expect(named.said).toMatch(/they see every document/);
  });

  it.each([
    [
      'other dimensions',
      { queries: write('wide.npy', writeNpy({ rows: 1, columns: 3, values: new Float32Array(3) })) },
      /2 dimensions.*3/,
    ],
    ['a missing file', { documents: path.join(folder, 'nope.npy') }, /Cannot read .*nope\.npy/],
    ['too few ids', { ids: write('few.txt', 'a\n') }, /few\.txt has 1 ids.*3 rows/],
    ['ids twice', { ids: write('twice.txt', 'a\nb\na\n') }, /"a" stands on lines 1 and 3/],
    ['an id with a blank', { ids: write('blank.txt', 'a\nb c\nd\n') }, /"b c"/],
    ['no threads', { threads: 0 }, /--threads is 0/],
    ['k too large', { k: 2_000 }, /k is 2000/],
    [
      'a cut file',
      {
        documents: write(
          'cut.npy',
          writeNpy({ rows: 3, columns: 2, values: new Float32Array(6) }).subarray(0, 140),
        ),
      },
      /cut\.npy has 140 bytes/,
    ],
    [
      'a bad query',
      { queries: write('nan.npy', writeNpy({ rows: 1, columns: 2, values: Float32Array.of(1, NaN) })) },
      /Query 0 .*component 1 is NaN/,
    ],
  ])('refuses %s', async (_, change, message) => {
    await expect(runOf({ ...small, ...change })).rejects.toThrow(message);
  });
});
