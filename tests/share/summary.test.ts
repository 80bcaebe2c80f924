import { describe, expect, it } from 'vitest';
import { countStates } from '../../src/share/claims.ts';
import { printLink, readAnyLink, readLink } from '../../src/share/link.ts';
import { packPayload, unpackPayload } from '../../src/share/payload.ts';
import { MAX_SUMMARY_CHARACTERS, summaryOf } from '../../src/share/summary.ts';
import { verifyPayload } from '../../src/share/verify-payload.ts';
import { resultFixture } from './result-fixture.ts';

const SITE = 'https://assay.example/tool/';
const NOW = Date.parse('2026-12-01T00:00:00Z');

describe('summary links', () => {
  it('hold the usual result in 2,000 characters and never show more than "claimed"', async () => {
    const { record } = await resultFixture(1);
    const summary = summaryOf([record]);
    const link = await printLink(summary, SITE);
    console.log(
      `summary of one result with ${summary.results[0]?.metrics.length ?? 0} metrics: ${link.length} characters`,
    );
    expect(link.length).toBeLessThanOrEqual(MAX_SUMMARY_CHARACTERS);
    expect(link).toContain('&claimed&');
    expect(await readAnyLink(link)).toEqual(summary);
    await expect(readLink(link)).rejects.toThrow(/nothing in it can be checked/);
    const claims = await verifyPayload(summary, NOW);
    expect(countStates(claims)).toEqual({ equal: 0, different: 0, claimed: claims.length });
  });

  it('are refused with the way out when they would be cut: 8 systems × 12 metrics with intervals', async () => {
    const records = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => (await resultFixture(seed)).record),
    );
    const names = records[0]?.report.columns.slice(0, 12) ?? [];
    await expect(printLink(summaryOf(records, names), SITE)).rejects.toThrow(/record files/);
    expect(
      (await printLink(summaryOf(records.slice(0, 3), ['exec@1', 'nDCG@10']), SITE)).length,
    ).toBeLessThanOrEqual(MAX_SUMMARY_CHARACTERS);
  });

  it('cut at 1,999 characters or anywhere give no partial numbers', async () => {
    const { record } = await resultFixture(2);
    const link = await printLink(summaryOf([record]), SITE);
    for (let length = link.indexOf('r=') + 2; length < link.length; length += 7)
      await expect(readAnyLink(link.slice(0, length))).rejects.toThrow(/incomplete|damaged|not a link/);
  });

  it('refuse values that cannot be: 1.7, NaN, text, no queries, too many results, unknown members', async () => {
    const { record } = await resultFixture(3);
    const good = summaryOf([record]);
    const [result] = good.results;
    const [metric] = result?.metrics ?? [];
    const bad = (change: object): unknown => ({ ...good, results: [{ ...result, ...change }] });
    const metrics = (change: object): unknown => bad({ metrics: [{ ...metric, ...change }] });
    const cases = [
      metrics({ value: 1.7 }),
      metrics({ value: Number.NaN }),
      metrics({ value: '0.9' }),
      bad({ queries: 0 }),
      bad({ more: 1 }),
      { ...good, results: Array.from({ length: 101 }, () => result) },
    ];
    for (const payload of cases)
      expect(() => unpackPayload(packPayload(payload as typeof good))).toThrow(/damaged at results/);
  });
});
