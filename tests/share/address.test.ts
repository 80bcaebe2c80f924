import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parameter, parseAddress, printAddress, withParameters } from '../../src/share/address.ts';

const text = fc.string({ unit: 'binary' }).filter((value) => !/\p{Surrogate}/u.test(value));
const address = fc.record({
  view: text.filter((view) => !view.startsWith('/')),
  parameters: fc.array(fc.tuple(text, text).filter(([name, value]) => name !== '' || value !== '')),
});

describe('address', () => {
  it('reads view, names and values', () => {
    expect(parseAddress('#/result?id=ab&filter=rank%3E1%20domain:geometry')).toEqual({
      view: 'result',
      parameters: [
        ['id', 'ab'],
        ['filter', 'rank>1 domain:geometry'],
      ],
    });
    expect(parseAddress('')).toEqual({ view: '', parameters: [] });
    expect(parseAddress('#/')).toEqual({ view: '', parameters: [] });
  });

  it('prints what it parsed, for any text', () => {
    fc.assert(
      fc.property(address, (value) => {
        expect(parseAddress(printAddress(value))).toEqual(value);
      }),
    );
  });

  it('prints only characters that chat clients and mailers leave alone', () => {
    fc.assert(
      fc.property(address, (value) => {
        expect(printAddress(value)).toMatch(/^#\/[\w\-.%/:,@?&=]*$/);
      }),
    );
  });

  it('never throws on any fragment, and is stable after one round', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (fragment) => {
        const once = printAddress(parseAddress(fragment));
        expect(printAddress(parseAddress(once))).toBe(once);
      }),
    );
  });

  it('repairs %23 and line breaks', () => {
    expect(parseAddress('%23/result?r=ab\r\n  cd')).toEqual({ view: 'result', parameters: [['r', 'abcd']] });
  });

  it('keeps a broken percent sequence', () => {
    expect(parseAddress('#/result?id=%E4%A')).toEqual({ view: 'result', parameters: [['id', '%E4%A']] });
  });

  it('keeps unknown and repeated parameters when others change', () => {
    const before = parseAddress('#/result?r=a&future=1&r=b&sort=x');
    const after = withParameters(before, { sort: undefined, query: 'q_1', future: '2' });
    expect(printAddress(after)).toBe('#/result?r=a&future=2&r=b&query=q_1');
    expect(parameter(after, 'r')).toBe('a');
    expect(parameter(after, '__proto__')).toBeUndefined();
  });
});
