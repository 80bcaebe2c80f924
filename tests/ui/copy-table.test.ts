import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latexText, tableText, type PlainTable } from '../../src/ui/copy-table.ts';

const table: PlainTable = {
  heads: ['metric', 'value', 'note'],
  rows: [
    ['exec@1', 0.18333333333333332, 'a|b'],
    ['nDCG@10', null, 'x_y & 5 %'],
  ],
};

describe('tables as text', () => {
  it('keeps the full value', () => {
    expect(tableText(table, 'TSV')).toBe(
      'metric\tvalue\tnote\nexec@1\t0.18333333333333332\ta|b\nnDCG@10\t\tx_y & 5 %\n',
    );
  });

  it('escapes what Markdown would eat and aligns numbers', () => {
    expect(tableText(table, 'Markdown')).toBe(
      '| metric | value | note |\n| --- | ---: | --- |\n| exec@1 | 0.18333333333333332 | a\\|b |\n| nDCG@10 |  | x\\_y & 5 % |\n',
    );
  });

  it('escapes what LaTeX would run', () => {
    expect(tableText(table, 'LaTeX')).toContain(
      '\\begin{tabular}{lrl}\n\\toprule\nmetric & value & note \\\\\n\\midrule\nexec@1 & 0.18333333333333332 & a\\textbar{}b \\\\',
    );
    expect(latexText('\\input{x}_^~#$')).toBe(
      '\\textbackslash{}input\\{x\\}\\_\\textasciicircum{}\\textasciitilde{}\\#\\$',
    );
  });

  it('makes CSV that a parser reads back, whatever the cells', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !/^[=+@\t\r-]/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
        const text = tableText({ heads: ['a', 'b'], rows }, 'CSV');
        const back = parse(text, { relax_column_count: false, record_delimiter: '\n' }) as string[][];
        expect(back).toEqual([['a', 'b'], ...rows]);
      }),
    );
  });

  it('does not hand a formula to a sheet', () => {
    expect(tableText({ heads: ['q'], rows: [['=HYPERLINK("x")'], ['-1+cmd'], [-1]] }, 'CSV')).toBe(
      'q\n"\'=HYPERLINK(""x"")"\n\'-1+cmd\n-1\n',
    );
  });
});
