import { describe, expect, it } from 'vitest';
import { sourcesInText } from '../../src/ui/pasted-sources.ts';

describe('pasted sources', () => {
  it('finds links, addresses and bare payloads, one or more a line', () => {
    const payload = 'A'.repeat(60);
    expect(
      sourcesInText(`see https://a.example/b/#/result?benchmark=x&r=abc
        <http://localhost:8080/#/result?id=0f>  %23/result?r=def ${payload}`),
    ).toEqual([
      ['r', 'abc'],
      ['id', '0f'],
      ['r', 'def'],
      ['r', payload],
    ]);
  });

  it('finds nothing in other text', () => {
    expect(sourcesInText('exec@1 = 0.18, see #results')).toEqual([]);
    expect(sourcesInText('')).toEqual([]);
  });
});
