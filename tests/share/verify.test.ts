import { describe, expect, it } from 'vitest';
import { claimLine, countStates, type CheckedClaim } from '../../src/share/claims.ts';
import { printLink, readLink } from '../../src/share/link.ts';
import { receiptOf } from '../../src/share/receipt.ts';
import { parseRecord, printRecord, sealRecord, type ResultRecord } from '../../src/share/record.ts';
import { verifyReceipt, verifyReceiptAgainstRecord } from '../../src/share/verify-receipt.ts';
import { verifyRecord } from '../../src/share/verify-record.ts';
import { verifyReceiptRun, verifyRecordRun } from '../../src/share/verify-run.ts';
import { resultFixture } from './result-fixture.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');

function different(claims: readonly CheckedClaim[]): string[] {
  return claims.filter(({ state }) => state === 'different').map(({ name }) => name);
}

/** A copy whose content was changed by hand, optionally with a fresh digest, as a forger would. */
async function altered(
  record: ResultRecord,
  change: (copy: ResultRecord) => void,
  sealed: boolean,
): Promise<ResultRecord> {
  const copy = JSON.parse(JSON.stringify(record)) as ResultRecord;
  change(copy);
  if (!sealed) return copy;
  const { id: _id, ...content } = copy;
  return sealRecord(content);
}

describe('a record, checked by itself', () => {
  it('has everything that its rows decide recomputed and equal', async () => {
    const { record } = await resultFixture(1);
    const claims = await verifyRecord(record, NOW);
    expect(different(claims)).toEqual([]);
    const equal = claims.filter(({ state }) => state === 'equal').map(({ name }) => name);
    expect(equal).toEqual(
      expect.arrayContaining(['exec@1', 'nDCG@10', 'digest of the record', 'domain geometry']),
    );
    expect(countStates(claims).claimed).toBeGreaterThanOrEqual(6);
  });

  it('names an altered metric, value, verdict, digest or date, also under a fresh digest', async () => {
    const { record } = await resultFixture(2);
    const cases: [(copy: ResultRecord) => void, string][] = [
      [(copy) => ((copy.report.cells[0] as { value: number }).value += 0.01), 'exec@1'],
      [(copy) => ((copy.report.cells[2] as { low: number }).low -= 0.001), 'nDCG@1'],
      [(copy) => ((copy.report.perQuery[3]?.values as number[])[0] = 0.5), 'values of every query'],
      [
        (copy) => ((copy.report.perQuery[0]?.strip[1] as { verdict: string }).verdict = 'timeout'),
        'verdicts of the first ten',
      ],
      [(copy) => (copy.counts['verdict wrong'] = 3), 'counts of verdicts'],
      [
        (copy) => ((copy.report.perQuery[0]?.strip[0] as { score: number }).score = -9),
        'order of the first ten',
      ],
      [(copy) => (copy.protocol.digest = 'a'.repeat(64)), 'digest of the protocol'],
      [(copy) => (copy.createdAt = '2031-01-01T00:00:00.000Z'), 'date'],
      [(copy) => (copy.benchmark.counts.queries = 23), 'number of queries'],
      [(copy) => ((copy.report.domains[0] as { queries: number }).queries = 99), 'domain geometry'],
    ];
    for (const [change, name] of cases) {
      expect(different(await verifyRecord(await altered(record, change, true), NOW))).toContain(name);
      const plain = await altered(record, change, false);
      expect(different(await verifyRecord(parseRecord(printRecord(plain)), NOW))).toEqual(
        expect.arrayContaining([name, 'digest of the record']),
      );
    }
  });

  it('names the query that a line is about', async () => {
    const { record } = await resultFixture(3);
    const forged = await altered(
      record,
      (copy) => ((copy.report.perQuery[5]?.values as number[])[0] = 0.25),
      true,
    );
    const [claim] = (await verifyRecord(forged, NOW)).filter(({ name }) => name === 'values of every query');
    expect(claimLine(claim as CheckedClaim)).toContain('recomputed and different');
    expect(claimLine(claim as CheckedClaim)).toContain('q_0005');
  });
});

describe('a record beside its run', () => {
  it('has rankings, report and deception recomputed and equal', async () => {
    const { record, run, tables } = await resultFixture(4);
    const claims = await verifyRecordRun(record, run, tables);
    expect(claims.map(({ state }) => state)).toEqual(claims.map(() => 'equal'));
    expect(claims.map(({ name }) => name)).toContain('deception');
    expect((await verifyRecordRun(record, run, undefined)).map(({ state }) => state)).toEqual([
      'equal',
      'equal',
      'claimed',
    ]);
  });

  it('names what another run or a forged deception contradicts', async () => {
    const { record, run, tables } = await resultFixture(5);
    const other = await resultFixture(6);
    expect(different(await verifyRecordRun(record, other.run, tables))).toEqual(
      expect.arrayContaining(['digest of the rankings', 'first ten of every query', 'metrics']),
    );
    const forged = await altered(
      record,
      (copy) => ((copy.report.deception as { deceived: number }).deceived -= 1),
      true,
    );
    expect(different(await verifyRecordRun(forged, run, tables))).toEqual(['deception']);
    expect(different(await verifyReceiptRun(await receiptOf(record), other.run))).toEqual([
      'digest of the rankings',
    ]);
  });
});

describe('a receipt', () => {
  it('has its metrics equal and its origin only claimed', async () => {
    const { record } = await resultFixture(7);
    const claims = await verifyReceipt(await receiptOf(record), NOW);
    expect(different(claims)).toEqual([]);
    expect(countStates(claims)).toEqual({ equal: 17, different: 0, claimed: 7 });
  });

  it('names what differs from the record that it is said to come from', async () => {
    const { record } = await resultFixture(8);
    const receipt = await receiptOf(record);
    const link = await printLink(receipt, 'https://assay.example/');
    expect(different(await verifyReceiptAgainstRecord(await readLink(link), record))).toEqual([]);
    const outcomes = [...receipt.outcomes];
    outcomes[4] = { ...(outcomes[4] as (typeof outcomes)[number]), canonicals: 2 };
    const forged = {
      ...receipt,
      outcomes,
      digests: { ...receipt.digests, model: 'b'.repeat(64) },
      claims: receipt.claims.map((claim, i) => (i === 1 ? claim / 2 : claim)),
    };
    expect(different(await verifyReceiptAgainstRecord(forged, record))).toEqual([
      'link: digest of the model',
      'link: metrics',
      'link: outcomes',
    ]);
    expect(
      different(
        await verifyReceipt({ ...receipt, digests: { ...receipt.digests, protocol: 'c'.repeat(64) } }, NOW),
      ),
    ).toEqual(['digest of the protocol']);
  });
});
