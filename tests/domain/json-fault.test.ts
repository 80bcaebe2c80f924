import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFault } from '../../src/domain/json-fault.ts';

function faultOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (thrown) {
    return jsonFault(text, thrown);
  }
  throw new Error('that is JSON');
}

describe('what is wrong with a text that is not JSON', () => {
  it.each([
    ['{\n "a": 1,\n "b": NaN\n}', /line 3 holds NaN, which JSON does not have/u],
    ['{"a": "NaN",\r\n "b": -Infinity}', /line 2 holds -Infinity/u],
    ['[None]', /line 1 holds None/u],
    ['{"a": 1,\n', /line 2/u],
  ])('%j', (text, words) => {
    expect(faultOf(text)).toMatch(words);
  });

  it('names the line of a NaN wherever it stands, whatever the texts before it say', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const lines = texts.map((text) => `${JSON.stringify(text)},\n`).join('');
        expect(faultOf(`[\n${lines}NaN]`)).toContain(`line ${texts.length + 2} holds NaN`);
      }),
    );
  });
});
