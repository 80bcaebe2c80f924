import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeNpy } from '../../src/codecs/npy.ts';
import type { KernelKind } from '../../src/contracts/search.ts';
import { digestOf } from '../../src/domain/digest.ts';
import { startHarness, type Harness } from '../bench/search/harness.ts';
import { seeded } from '../workers/search/adversaries.ts';
import { scan } from '../workers/search/reference.ts';

const DIMENSIONS = 96;
const DOCUMENTS = 3_000;
const QUERIES = 21;
const K = 50;

const random = seeded(8);
const documents = Float32Array.from({ length: DOCUMENTS * DIMENSIONS }, () => random() - 0.5);
// Copies, so that cuts fall into ties.
for (let row = 200; row < DOCUMENTS; row += 3) {
  documents.copyWithin(row * DIMENSIONS, (row % 100) * DIMENSIONS, ((row % 100) + 1) * DIMENSIONS);
}
const queries = Float32Array.from({ length: QUERIES * DIMENSIONS }, () => random() - 0.5);
const folder = mkdtempSync(path.join(tmpdir(), 'assay-kernels-'));
let harness: Harness;

beforeAll(async () => {
  const write = (name: string, rows: number, values: Float32Array): void =>
    writeFileSync(path.join(folder, name), writeNpy({ rows, columns: DIMENSIONS, values }));
  write('documents.npy', DOCUMENTS, documents);
  write('queries.npy', QUERIES, queries);
  harness = await startHarness(folder);
}, 120_000);

afterAll(async () => {
  await harness?.close();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'gives one digest in the browser and in Node, whichever kernel computes',
  { timeout: 120_000 },
  async () => {
    const expected = scan(
      {
        ids: Array.from({ length: DOCUMENTS }, (_, row) => `d${String(row).padStart(8, '0')}`),
        dimensions: DIMENSIONS,
        values: documents,
      },
      {
        queries: {
          ids: Array.from({ length: QUERIES }, (_, i) => `q${i}`),
          dimensions: DIMENSIONS,
          values: queries,
        },
        similarity: 'cosine',
        k: K,
      },
    );
    const wanted = await digestOf(
      expected
        .map(({ documentIds, scores }) => `${documentIds.join(' ')}|${Array.from(scores).join(' ')}`)
        .join('\n'),
    );
    for (const kind of ['dot7', 'wrap', 'wide'] as const satisfies readonly KernelKind[]) {
      expect(await harness.call(0, 'open', { kind })).toMatchObject({ kind, isolated: true });
      const source = (file: string, rows: number) => ({ file, rows, dimensions: DIMENSIONS });
      await harness.call(0, 'queries', { source: source('queries.npy', QUERIES) });
      await harness.call(0, 'load', { source: source('documents.npy', DOCUMENTS), part: 0, of: 1 });
      // Often enough for the optimising compiler to take over in between.
      for (let round = 0; round < 20; round++) {
        const { digest } = await harness.call<{ digest: string }>(0, 'search', {
          count: QUERIES,
          k: K,
          digest: true,
        });
        expect(digest, `${kind}, round ${round}`).toBe(wanted);
      }
    }
  },
);
