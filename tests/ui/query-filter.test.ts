import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter, type FilterField } from '../../src/ui/query-filter.ts';

interface Row {
  readonly id: string;
  readonly rank?: number;
  readonly domain: string;
  readonly verdict: string;
  readonly bugs: readonly string[];
  readonly text: string;
}

const rows: readonly Row[] = [
  { id: 'a', rank: 1, domain: 'date_time', verdict: 'pass', bugs: [], text: 'Is it a leap year?' },
  {
    id: 'b',
    rank: 3,
    domain: 'geometry',
    verdict: 'wrong',
    bugs: ['off_by_one'],
    text: 'Area of a triangle',
  },
  { id: 'c', domain: 'geometry', verdict: 'error', bugs: ['wrong_operator'], text: 'Distance, year by year' },
];

const fields: readonly FilterField<Row>[] = [
  { name: 'rank', kind: 'number', value: (row) => row.rank },
  { name: 'domain', kind: 'choice', value: (row) => row.domain, choices: ['date_time', 'geometry'] },
  { name: 'verdict', kind: 'choice', value: (row) => row.verdict, choices: ['pass', 'wrong', 'error'] },
  { name: 'bug', kind: 'choice', value: (row) => row.bugs },
  { name: 'text', kind: 'text', value: (row) => row.text },
];

function found(text: string): string {
  const filter = parseFilter(text, fields, 'text');
  if (!filter.ok) return filter.message;
  return rows
    .filter(filter.test)
    .map((row) => row.id)
    .join('');
}

describe('filter box', () => {
  it.each([
    ['', 'abc'],
    ['rank>1', 'bc'],
    ['rank:1', 'a'],
    ['rank<=3', 'ab'],
    ['rank:none', 'c'],
    ['rank!=none', 'ab'],
    ['rank>1 domain:geometry verdict:wrong', 'b'],
    ['text:leap', 'a'],
    ['year', 'ac'],
    ['"leap year"', 'a'],
    ['text:"by year"', 'c'],
    ['-domain:geometry', 'a'],
    ['domain:geo', 'bc'],
    ['domain!=geometry', 'a'],
    ['bug:off_by_one', 'b'],
    ['bug:none', 'a'],
    ['YEAR -leap', 'c'],
  ])('%s finds %s', (text, ids) => {
    expect(found(text)).toBe(ids);
  });

  it('says what it does not know', () => {
    expect(found('colour:red')).toBe(
      'No field is called “colour”. Fields: rank, domain, verdict, bug, text.',
    );
    expect(found('rank>two')).toBe('“rank” takes a number, and “two” is none.');
    expect(found('domain>3')).toBe('“domain” is not a number: use domain:3.');
    expect(found('verdict:great')).toBe('“verdict” is never “great”. It can be pass, wrong, error.');
    expect(found('rank:')).toBe('“rank:” names no value to look for.');
  });

  it('takes any text without failing, and a term and its turned-round form split the rows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const word = text.replace(/[\s":=<>!-]/gu, '');
        parseFilter(text, fields, 'text');
        if (word === '' || word === 'none') return;
        const plain = found(word);
        const turned = found(`-${word}`);
        expect([...plain, ...turned].sort().join('')).toBe('abc');
      }),
    );
  });
});
