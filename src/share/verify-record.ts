import type { ExecReport } from '../analyses/execretrieval/report-types.ts';
import { canonicalJson, digestOf, digestOfJson } from '../domain/digest.ts';
import { compareRanked } from '../domain/ranking.ts';
import { VERDICTS } from '../domain/verdict.ts';
import { CLAIM_TOLERANCE, numberText, sameNumber, type CheckedClaim } from './claims.ts';
import { reportOfRows } from './rebuild-report.ts';
import type { ResultRecord } from './record.ts';
import { checkDate, checkNamedProtocol, claimedDigest } from './verify-origin.ts';

/**
 * Checks a record by itself (level 0): its own digest, its protocol's digest, every metric with its interval, every
 * query's values and every slice that its rows decide, and whether its counts fit together.
 *
 * @param nowMs the present, in milliseconds since 1970
 */
export async function verifyRecord(record: ResultRecord, nowMs = Date.now()): Promise<CheckedClaim[]> {
  const again = reportOfRows(record.report);
  const own = await digestOfJson(record.protocol.settings);
  const here = 'the thing itself is not in the record';
  return [
    await recordDigest(record),
    ...metricClaims(record.report, again),
    rowClaim(record.report, again),
    orderClaim(record.report),
    nearCloneClaim(record.report, again),
    ...domainClaims(record.report, again),
    countClaim(record.report, again),
    ...verdictClaims(record),
    queriesClaim(record),
    same('digest of the protocol', record.protocol.digest, own, 'of the settings in the record'),
    await checkNamedProtocol(record.protocol.id, record.protocol.digest),
    checkDate(record.createdAt, nowMs),
    claimedDigest('benchmark', record.benchmark.digest, here),
    claimedDigest('document vectors', record.digests.documentVectors, here),
    claimedDigest('query vectors', record.digests.queryVectors, here),
    claimedDigest('rankings', record.digests.rankings, here),
    claimedDigest('verdicts', record.digests.verdicts, here),
    deceptionClaim(record.report),
  ];
}

async function recordDigest(record: ResultRecord): Promise<CheckedClaim> {
  const { id, ...content } = record;
  return same('digest of the record', id, await digestOf(canonicalJson(content)), 'of all its other members');
}

function same(name: string, claimed: string, found: string, note: string): CheckedClaim {
  return { level: 0, name, state: claimed === found ? 'equal' : 'different', claimed, found, note };
}

/** Cutoffs beyond the ten ranks that a row keeps cannot be computed from it. */
const KEPT_RANKS = 10;

function metricClaims(claimed: ExecReport, found: ExecReport): CheckedClaim[] {
  return claimed.cells.map((cell, i) => {
    const name = `${cell.measure}@${cell.k}`;
    if (cell.k > KEPT_RANKS) {
      const note = `rows keep ${KEPT_RANKS} ranks`;
      return { level: 0, name, state: 'claimed', claimed: numberText(cell.value), note };
    }
    const other = found.cells[i];
    const fits =
      claimed.columns[i] === name &&
      sameNumber(cell.value, other?.value) &&
      sameNumber(cell.low, other?.low) &&
      sameNumber(cell.high, other?.high) &&
      cell.n === other?.n;
    return {
      level: 0,
      name,
      state: fits ? 'equal' : 'different',
      claimed: estimateText(cell),
      found: estimateText(other),
    };
  });
}

function estimateText(
  estimate:
    { readonly value: number | null; readonly low: number | null; readonly high: number | null } | undefined,
): string {
  if (estimate === undefined) return 'nothing';
  return `${numberText(estimate.value)} [${numberText(estimate.low)}, ${numberText(estimate.high)}]`;
}

/** Every query's values and what rank 1 came to; names the first query that differs. */
function rowClaim(claimed: ExecReport, found: ExecReport): CheckedClaim {
  const byId = new Map(found.perQuery.map((row) => [row.queryId, row]));
  const name = 'values of every query';
  let different = 0;
  let first: { claimed: string; found: string } | undefined;
  for (const row of claimed.perQuery) {
    const other = byId.get(row.queryId);
    const kept = claimed.cells.flatMap(({ k }, i) => (k <= KEPT_RANKS ? [i] : []));
    const valuesFit = kept.every(
      (i) => Math.abs((row.values[i] ?? Number.NaN) - (other?.values[i] ?? Number.NaN)) <= CLAIM_TOLERANCE,
    );
    const firstFits =
      (row.firstPassingRank !== null && row.firstPassingRank > KEPT_RANKS) ||
      row.firstPassingRank === (other?.firstPassingRank ?? null);
    const rolesFit =
      canonicalJson(row.strip.map(({ role }) => role === 'canonical')) ===
      canonicalJson(row.strip.map((_, i) => row.canonicalRanks.includes(i + 1)));
    if (valuesFit && firstFits && rolesFit && row.rankOne === other?.rankOne) continue;
    different++;
    const text = (one: typeof row | undefined): string =>
      one === undefined
        ? 'no such query'
        : `query ${JSON.stringify(one.queryId)} with ${one.rankOne}, values ${one.values.join(' ')}`;
    first ??= {
      claimed: text(row),
      found: rolesFit
        ? text(other)
        : `${text(other)}; canonical ranks ${row.canonicalRanks.join(' ')} against the roles in its first ten`,
    };
  }
  if (first !== undefined)
    return {
      level: 0,
      name,
      state: 'different',
      ...first,
      note: `${different} of ${claimed.perQuery.length} differ`,
    };
  const all = `${claimed.perQuery.length} queries`;
  return { level: 0, name, state: 'equal', claimed: all, found: all };
}

/** Whether the first ten of every query stand in the total order by their scores. */
function orderClaim({ perQuery }: ExecReport): CheckedClaim {
  const name = 'order of the first ten';
  for (const { queryId, strip } of perQuery) {
    for (const [i, cell] of strip.entries()) {
      const next = strip[i + 1];
      if (next === undefined || compareRanked(cell.score, cell.documentId, next.score, next.documentId) < 0)
        continue;
      const place = `query ${JSON.stringify(queryId)}, rank ${i + 1}`;
      return {
        level: 0,
        name,
        state: 'different',
        claimed: `${JSON.stringify(cell.documentId)} (${cell.score}) above ${JSON.stringify(next.documentId)} (${next.score})`,
        found: 'the other way round',
        note: place,
      };
    }
  }
  const all = `${perQuery.length} queries`;
  return { level: 0, name, state: 'equal', claimed: all, found: all };
}

function nearCloneClaim(claimed: ExecReport, found: ExecReport): CheckedClaim {
  const text = ({ nearCloneMisses: { count, n, value, low, high } }: ExecReport): string =>
    `${count} of ${n}, ${estimateText({ value, low, high })}`;
  return same('near-clones among the rank-1 misses', text(claimed), text(found), 'with interval');
}

function domainClaims(claimed: ExecReport, found: ExecReport): CheckedClaim[] {
  const others = new Map(found.domains.map((slice) => [slice.domain, slice]));
  const names = new Set([...claimed.domains.map(({ domain }) => domain), ...others.keys()]);
  return [...names].map((domain) => {
    const slice = claimed.domains.find((one) => one.domain === domain);
    const other = others.get(domain);
    const text = (one: typeof slice): string =>
      one === undefined
        ? 'nothing'
        : `${one.queries} queries, ${one.cells
            .filter(({ k }) => k <= KEPT_RANKS)
            .map((cell) => `${cell.measure}@${cell.k} ${estimateText(cell)}`)
            .join(', ')}, near-clones ${one.nearCloneMisses.count} of ${one.nearCloneMisses.n}`;
    const [a, b] = [text(slice), text(other)];
    if (a === b) {
      const short = `${slice?.queries ?? 0} queries, all metrics`;
      return { level: 0, name: `domain ${domain}`, state: 'equal', claimed: short, found: short };
    }
    return { level: 0, name: `domain ${domain}`, state: 'different', claimed: a, found: b };
  });
}

function countClaim(claimed: ExecReport, found: ExecReport): CheckedClaim {
  const keys = ['queries', 'withoutRanking', 'missingVerdicts', 'unsupported', 'platformSensitive'] as const;
  const text = ({ counts }: ExecReport): string => keys.map((key) => `${key} ${counts[key]}`).join(', ');
  return same('counts of what is missing', text(claimed), text(found), 'within the first ten');
}

/** Whether the verdicts in the rankings, the list of failures and the counts by verdict tell one story. */
function verdictClaims({ report, failures, counts }: ResultRecord): CheckedClaim[] {
  const failed = new Map(failures.map((one) => [JSON.stringify([one.queryId, one.documentId]), one.verdict]));
  let judged = 0;
  let contradiction: CheckedClaim | undefined;
  for (const { queryId, strip } of report.perQuery)
    for (const { documentId, verdict } of strip) {
      if (verdict === null) continue;
      judged++;
      const listed = failed.get(JSON.stringify([queryId, documentId])) ?? 'pass';
      if (listed === verdict) continue;
      contradiction ??= {
        level: 0,
        name: 'verdicts of the first ten',
        state: 'different',
        claimed: `${verdict} for ${JSON.stringify(documentId)} in query ${JSON.stringify(queryId)}`,
        found: listed,
        note: 'in the list of failures',
      };
    }
  const all = `${judged} verdicts`;
  const byVerdict = VERDICTS.filter((verdict) => verdict !== 'pass');
  const claimed = byVerdict.map((verdict) => `${verdict} ${counts[`verdict ${verdict}`] ?? 0}`).join(', ');
  const found = byVerdict
    .map((verdict) => `${verdict} ${failures.filter((one) => one.verdict === verdict).length}`)
    .join(', ');
  return [
    contradiction ?? {
      level: 0,
      name: 'verdicts of the first ten',
      state: 'equal',
      claimed: all,
      found: all,
      note: 'beside the list of failures',
    },
    same('counts of verdicts', claimed, found, 'beside the list of failures'),
  ];
}

function queriesClaim({ benchmark, report }: ResultRecord): CheckedClaim {
  return same(
    'number of queries',
    String(benchmark.counts.queries),
    String(new Set(report.perQuery.map(({ queryId }) => queryId)).size),
    'distinct rows in the report',
  );
}

function deceptionClaim({ deception }: ExecReport): CheckedClaim {
  return {
    level: 0,
    name: 'deception',
    state: 'claimed',
    claimed: `${deception.deceived} of ${deception.triples} triples`,
    note: 'needs the similarities of every near-clone: level 1 with the benchmark, or level 2',
  };
}
