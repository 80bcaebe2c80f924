import { describe, expect, it } from 'vitest';
import { boardCells, boardOf, clearBoard, roundDown } from '../../../workers/search/board.ts';
import { mergeAnswers } from '../../../workers/search/merge-answers.ts';
import { scoresOf } from '../../../workers/search/scores-of.ts';
import { searchBlocks } from '../../../workers/search/search.ts';
import type { Ranking } from '../../../src/domain/ranking.ts';
import { digestOf } from '../../../src/domain/digest.ts';
import { makeCase, seeded, type SearchCase } from './adversaries.ts';
import { everyKernel } from './kernel-files.ts';
import { blocksOf, scan } from './reference.ts';

const LONG = process.env['ASSAY_LONG'] === '1';
const CASES = LONG ? 10_000 : 200;
const FIRST_SEED = 70_000;
const kernels = await everyKernel();

function plain(rankings: readonly Ranking[]): unknown {
  return rankings.map(({ queryId, documentIds, scores }) => ({ queryId, documentIds, scores: [...scores] }));
}

function blocksFor({ corpus, blockSizes, reverse }: SearchCase) {
  return blocksOf(corpus, blockSizes, reverse);
}

describe.each(kernels)('the certificate of the $kind kernel', (kernel) => {
  it(
    `equals a float64 scan, bit for bit, in ${CASES} adversarial cases`,
    { timeout: 3_600_000 },
    async () => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
        const one = makeCase(seed);
        const answer = await searchBlocks(kernel, blocksFor(one), one.request, {
          groupRows: one.groupRows,
          gatherRows: one.gatherRows,
        });
        const label = `seed ${seed}: ${one.kinds.join(' + ')}, ${one.corpus.ids.length} × ${one.corpus.dimensions}, k ${one.request.k}, ${one.request.similarity}`;
        expect(plain(answer.rankings), label).toEqual(plain(scan(one.corpus, one.request)));
      }
    },
  );
});

describe('one digest', () => {
  it('for 1, 2 and 8 threads, every kernel, every block size, with and without a shared board', async () => {
    const dimensions = 96;
    const random = seeded(5);
    const documents = 3_000;
    const values = Float32Array.from({ length: documents * dimensions }, () => random() - 0.5);
    // Copies and near-copies, so that cuts fall into ties.
    for (let row = 100; row < documents; row += 3) {
      values.copyWithin(row * dimensions, (row % 100) * dimensions, ((row % 100) + 1) * dimensions);
    }
    const corpus = { ids: Array.from({ length: documents }, (_, i) => `d${i}`), dimensions, values };
    const queries = {
      ids: Array.from({ length: 21 }, (_, i) => `q${i}`),
      dimensions,
      values: Float32Array.from({ length: 21 * dimensions }, () => random() - 0.5),
    };
    const request = { queries, similarity: 'cosine' as const, k: 50 };
    const digests = new Set<string>();
    digests.add(await digestOf(JSON.stringify(plain(scan(corpus, request)))));
    for (const kernel of kernels) {
      for (const size of [64, 333, 3_000]) {
        for (const threads of [1, 2, 8]) {
          for (const shared of [false, true]) {
            const cells = new Int32Array(new SharedArrayBuffer(4 * boardCells(threads, 21)));
            clearBoard(cells);
            const answers = await Promise.all(
              Array.from({ length: threads }, (_, part) =>
                searchBlocks(
                  kernel,
                  blocksOf(corpus, [size]).filter((__, i) => i % threads === part),
                  request,
                  {
                    gatherRows: size === 64 ? 512 : 1,
                    ...(shared ? { board: boardOf(cells, part, threads, request.k) } : {}),
                  },
                ),
              ),
            );
            const merged = mergeAnswers(answers, request.k);
            expect(merged.counts.documents).toBe(documents);
            digests.add(await digestOf(JSON.stringify(plain(merged.rankings))));
          }
        }
      }
    }
    expect(digests.size).toBe(1);
  });

  it('scores of wanted pairs are the very numbers that rank', async () => {
    const one = makeCase(FIRST_SEED + 12);
    for (const kernel of kernels) {
      const { rankings } = await searchBlocks(kernel, blocksFor(one), { ...one.request, k: 25 });
      const wanted = rankings.map((ranking) => [...ranking.documentIds, 'nobody']);
      const scores = await scoresOf(kernel, blocksFor(one), one.request, wanted);
      expect(scores.map((list) => [...list])).toEqual(rankings.map((ranking) => [...ranking.scores, NaN]));
    }
  });

  it('the board rounds down', () => {
    const random = seeded(3);
    for (const value of [0, -0, 1, -1, 0.1, -0.1, 1e-46, -1e-46, 1e300, -1e300, 3.4e38]) {
      expect(roundDown(value)).toBeLessThanOrEqual(value);
    }
    for (let i = 0; i < 10_000; i++) {
      const value = (random() - 0.5) * 10 ** (random() * 20 - 10);
      const down = roundDown(value);
      expect(down).toBe(Math.fround(down));
      expect(down).toBeLessThanOrEqual(value);
      expect(value - down).toBeLessThanOrEqual(Math.abs(value) * 2 ** -23);
    }
  });
});
