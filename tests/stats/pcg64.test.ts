import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pcg64 } from '../../src/stats/pcg64.ts';
import { seedPool, seedWords } from '../../src/stats/seed-sequence.ts';
import { golden } from './golden.ts';

const { stream } = golden;

describe('numpy stream', () => {
  it('seeds as SeedSequence does', () => {
    expect([...seedPool(stream.seed)]).toEqual(stream.seedSequence.pool32);
    const words = seedWords(stream.seed, 8);
    const words64 = [0, 2, 4, 6].map((i) =>
      ((BigInt(words[i + 1] as number) << 32n) | BigInt(words[i] as number)).toString(),
    );
    expect(words64).toEqual(stream.seedSequence.stateWords64);
  });

  it('starts in the same state and gives the same raw outputs', () => {
    const random = new Pcg64(stream.seed);
    const { state, increment } = random.state();
    expect([state.toString(), increment.toString()]).toEqual([stream.pcg64.state, stream.pcg64.inc]);
    expect(stream.pcg64.raw20.map(() => random.next64().toString())).toEqual(stream.pcg64.raw20);
  });

  it('draws the same bounded integers for every bound', () => {
    for (const [bound, expected] of Object.entries(stream.boundedIntegers.first40)) {
      const drawn = new Pcg64(stream.seed).fillBelow(Number(bound), new Uint32Array(40));
      expect([...drawn], `bound ${bound}`).toEqual(expected);
    }
  });

  it('draws the same doubles', () => {
    const random = new Pcg64(stream.seed);
    expect(stream.random10.map(() => random.random())).toEqual(stream.random10);
  });

  it('draws the whole matrix of 5,000 resamples of 939', () => {
    const random = new Pcg64(stream.seed);
    const row = new Uint32Array(939);
    let total = 0;
    for (let r = 0; r < 5_000; r++) {
      random.fillBelow(939, row);
      const sum = row.reduce((a, b) => a + b, 0);
      total += sum;
      const expected = stream.matrix5000x939.sumOfRow[r];
      if (expected !== undefined) expect(sum).toBe(expected);
      if (r === 0) expect([...row.slice(0, 10)]).toEqual(stream.matrix5000x939.row0First10);
    }
    expect([...row.slice(-10)]).toEqual(stream.matrix5000x939.row4999Last10);
    expect(total).toBe(stream.matrix5000x939.sum);
  });

  it('equals a BigInt restatement for any seed, and stays in range', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, (1n << 200n) - 1n),
        fc.integer({ min: 1, max: 4294967295 }),
        (seed, bound) => {
          const random = new Pcg64(seed);
          let { state } = random.state();
          const { increment } = random.state();
          const next = (): bigint => {
            state = BigInt.asUintN(128, state * 0x2360ed051fc65da44385df649fccf645n + increment);
            const mixed = BigInt.asUintN(64, (state >> 64n) ^ state);
            const rotation = state >> 122n;
            return BigInt.asUintN(64, (mixed >> rotation) | (mixed << (64n - rotation)));
          };
          for (let i = 0; i < 20; i++) expect(random.next64()).toBe(next());
          const value = random.below(bound);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(bound);
        },
      ),
    );
  });

  it('keeps the high half across 64-bit draws and tells its state, wherever it stands', () => {
    // Words and outputs are drawn in turns; a plain list of outputs says what must come.
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 400, maxLength: 1_200 }), (turns) => {
        const random = new Pcg64(7);
        const plain = new Pcg64(7);
        const { increment } = plain.state();
        let { state } = plain.state();
        let half: number | undefined;
        const output = (): bigint => {
          state = BigInt.asUintN(128, state * 0x2360ed051fc65da44385df649fccf645n + increment);
          return plain.next64();
        };
        for (const word of turns) {
          if (!word) expect(random.next64()).toBe(output());
          else if (half !== undefined) {
            expect(random.next32()).toBe(half);
            half = undefined;
          } else {
            const value = output();
            expect(random.next32()).toBe(Number(value & 0xffffffffn));
            half = Number(value >> 32n);
          }
        }
        expect(random.state().state).toBe(state);
      }),
      { numRuns: 20 },
    );
  });

  it('permutes as numpy 2.4.6 does and loses nothing', () => {
    // numpy.random.default_rng(20260510).permutation(12)
    const order = [...new Pcg64(stream.seed).permutation(12)];
    expect(order).toEqual([0, 1, 4, 2, 9, 7, 3, 8, 5, 6, 10, 11]);
  });

  it('refuses seeds and bounds that numpy would refuse', () => {
    expect(() => new Pcg64(-1)).toThrow(/seed/);
    expect(() => new Pcg64(1.5)).toThrow(/seed/);
    expect(() => new Pcg64(1).below(0)).toThrow(/bound/);
    expect(() => new Pcg64(1).below(4294967297)).toThrow(/bound/);
  });
});
