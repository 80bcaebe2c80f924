import { describe, expect, it } from 'vitest';
import { headlineBibtex, headlineLatex, headlineMarkdown, headlineText } from '../../src/ui/headline.ts';
import type { OpenedResult } from '../../src/ui/opened-result.ts';

const cell = { measure: 'exec', k: 1, value: 0.18333333, low: 0.14, high: 0.2251, n: 120, upper: 0.18333333 };
const result = {
  origin: 'link',
  link: 'https://assay.example/#/result?r=abc',
  report: { cutoffs: [1], cells: [cell], columns: ['exec@1'], counts: { queries: 120 } },
  receipt: {
    manifest: {
      createdAt: '2026-11-30T15:12:00.000Z',
      assayVersion: '0.1.0',
      benchmark: { id: 'my_bench' },
      model: { id: 'all-MiniLM-L6-v2', dtype: 'int8', revision: 'r' },
      protocol: 'execretrieval',
      device: 'WASM',
    },
    digests: { record: '0123456789abcdef' },
  },
} as unknown as OpenedResult;

describe('headline', () => {
  it('is the sentence that a paper would print', () => {
    expect(headlineText(result)).toBe(
      'exec@1 = 0.183, 95 % interval 0.14 to 0.23, 120 queries, all-MiniLM-L6-v2 int8 on WASM, benchmark my_bench, protocol execretrieval',
    );
  });

  it('escapes names in Markdown and LaTeX', () => {
    expect(headlineMarkdown(result)).toContain(
      'benchmark my\\_bench, protocol execretrieval ([receipt](https://assay.example/#/result?r=abc))',
    );
    expect(headlineLatex(result)).toBe(
      'exec@1 $= 0.183$, 95\\,\\% interval 0.14 to 0.23, 120 queries, all-MiniLM-L6-v2 int8 on WASM, benchmark my\\_bench, protocol execretrieval\n',
    );
  });

  it('names the record in BibTeX', () => {
    const entry = headlineBibtex(result);
    expect(entry).toContain('@misc{assay-0123456789ab,');
    expect(entry).toContain('year = {2026}');
    expect(entry).toContain('url = {https://assay.example/#/result?r=abc}');
  });
});
