import { describe, expect, it } from 'vitest';
import { differencesBetween, whyNotComparable, type ComparedOrigin } from '../../src/share/comparability.ts';

const origin: ComparedOrigin = {
  benchmark: { id: 'exec-mini', digest: 'ab'.repeat(32) },
  protocol: { id: 'execretrieval', digest: 'cd'.repeat(32) },
  model: { id: 'all-MiniLM-L6-v2', dtype: 'q8', revision: 'r1' },
  device: 'wasm, 2 threads',
  assayVersion: '0.1.0',
  seed: 1,
  queries: 150,
};

describe('comparability', () => {
  it('takes results on the same data, whatever else differs', () => {
    const other = {
      ...origin,
      model: { ...origin.model, id: 'e5-small-v2', dtype: 'fp32' },
      device: 'webgpu nvidia',
    };
    expect(whyNotComparable(origin, other)).toBeUndefined();
    expect(differencesBetween(origin, other)).toEqual([
      { what: 'model', a: 'all-MiniLM-L6-v2', b: 'e5-small-v2' },
      { what: 'weights', a: 'q8', b: 'fp32' },
      { what: 'device', a: 'wasm, 2 threads', b: 'webgpu nvidia' },
    ]);
    expect(differencesBetween(origin, origin)).toEqual([]);
  });

  it('tells protocols of one name apart by their settings', () => {
    const other = { ...origin, protocol: { id: 'execretrieval', digest: 'ef'.repeat(32) } };
    expect(whyNotComparable(origin, other)).toBeUndefined();
    expect(differencesBetween(origin, other)).toEqual([
      {
        what: 'protocol',
        a: 'execretrieval (sha256 cdcdcdcdcdcd)',
        b: 'execretrieval (sha256 efefefefefef)',
      },
    ]);
  });

  it('refuses other data with the reason', () => {
    const renamed = { ...origin, benchmark: { id: 'execretrieval', digest: '01'.repeat(32) } };
    expect(whyNotComparable(origin, renamed)).toBe(
      'One was measured on exec-mini, the other on execretrieval: there are no queries to pair.',
    );
    const changed = { ...origin, benchmark: { id: 'exec-mini', digest: '01'.repeat(32) } };
    expect(whyNotComparable(origin, changed)).toContain(
      'its content differs (sha256 abababababab and 010101010101)',
    );
    expect(whyNotComparable(origin, { ...origin, queries: 149 })).toContain('one of them is damaged');
  });
});
