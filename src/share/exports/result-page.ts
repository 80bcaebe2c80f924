import { EXEC_MEASURES, type ExecCell } from '../../analyses/execretrieval/report-types.ts';
import type { ResultRecord } from '../record.ts';

/**
 * Returns a result as one HTML file that works from a disk: tables, a picture as inline SVG, no script, nothing loaded.
 * Everything in it is what the record claims; the link leads to where it can be checked.
 *
 * @param link the result's link; left out where undefined
 */
export function resultPageHtml(record: ResultRecord, link: string | undefined): string {
  const { report, benchmark, model, protocol, createdAt, id, device } = record;
  const title = `${model.id} on ${benchmark.name}`;
  const [headline] = report.cells;
  const cell = (measure: string, k: number): string => {
    const found = report.cells.find((one) => one.measure === measure && one.k === k);
    return `<td>${found === undefined ? '' : estimateText(found)}</td>`;
  };
  const facts: readonly (readonly [string, string])[] = [
    [
      'Benchmark',
      `${benchmark.name}, ${benchmark.counts.queries} queries, ${benchmark.counts.documents} documents, sha256 ${benchmark.digest}`,
    ],
    [
      'Model',
      `${model.id}, ${model.dtype} weights, revision ${model.revision}, ${model.dimensions} dimensions`,
    ],
    ['Protocol', `${protocol.id}, sha256 ${protocol.digest}`],
    ['Device', `${device.backend}, ${device.threads} threads; ${device.userAgent}`],
    ['Made', `${createdAt}, Assay ${record.assayVersion}`],
    ['Record', `sha256 ${id}`],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #ccc; padding: .25rem .75rem; text-align: left; }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; }
</style>
</head>
<body>
<h1>${html(title)}</h1>
<p>${headline === undefined ? '' : html(`${headline.measure}@${headline.k} = ${estimateText(headline)}, ${report.counts.queries} queries, protocol ${protocol.id}.`)}
These are the numbers that the record claims${link === undefined ? '' : `; <a href="${html(safeHref(link))}">open the result</a> to have them computed again`}.</p>
${metricPicture(report.cells)}
<table>
<caption>Metrics with 95 % intervals</caption>
<thead><tr><th scope="col">Metric</th>${report.cutoffs.map((k) => `<th scope="col">k = ${k}</th>`).join('')}</tr></thead>
<tbody>${EXEC_MEASURES.map((measure) => `<tr><th scope="row">${html(measure)}@k</th>${report.cutoffs.map((k) => cell(measure, k)).join('')}</tr>`).join('\n')}</tbody>
</table>
<table>
<caption>By domain</caption>
<thead><tr><th scope="col">Domain</th><th scope="col">Queries</th><th scope="col">${html(headline === undefined ? '' : `${headline.measure}@${headline.k}`)}</th></tr></thead>
<tbody>${report.domains.map((slice) => `<tr><th scope="row">${html(slice.domain)}</th><td>${slice.queries}</td><td>${slice.cells[0] === undefined ? '' : estimateText(slice.cells[0])}</td></tr>`).join('\n')}</tbody>
</table>
<table>
<caption>Provenance</caption>
<tbody>${facts.map(([name, value]) => `<tr><th scope="row">${html(name)}</th><td>${html(value)}</td></tr>`).join('\n')}</tbody>
</table>
</body>
</html>
`;
}

const ROW = 24;
const LEFT = 190;
const WIDTH = 520;

/** One line a metric: a dot at its value, a bar over its interval, on an axis from 0 to 1. */
function metricPicture(cells: readonly ExecCell[]): string {
  const shown = cells.filter(({ value, measure }) => value !== null && measure !== 'exec_ndcg_gap');
  const x = (value: number): number => LEFT + Math.min(1, Math.max(0, value)) * WIDTH;
  const height = shown.length * ROW + 30;
  const rows = shown.map(({ measure, k, value, low, high }, i) => {
    const y = i * ROW + 14;
    const bar =
      low === null || high === null
        ? ''
        : `<line x1="${x(low).toFixed(1)}" x2="${x(high).toFixed(1)}" y1="${y}" y2="${y}" stroke="#2a6fbb" stroke-width="3"/>`;
    return `<text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${html(`${measure}@${k}`)}</text>${bar}<circle cx="${x(value ?? 0).toFixed(1)}" cy="${y}" r="4" fill="#123"/>`;
  });
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      `<line x1="${x(tick)}" x2="${x(tick)}" y1="2" y2="${height - 24}" stroke="#ddd"/><text x="${x(tick)}" y="${height - 8}" text-anchor="middle">${tick}</text>`,
  );
  return `<svg role="img" aria-label="Metrics with their 95 % intervals; the table below holds the numbers" viewBox="0 0 ${LEFT + WIDTH + 20} ${height}" width="${LEFT + WIDTH + 20}" font-family="system-ui, sans-serif" font-size="13">${ticks.join('')}${rows.join('')}</svg>`;
}

function estimateText({
  value,
  low,
  high,
}: {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}): string {
  if (value === null) return 'undefined';
  return low === null || high === null
    ? value.toFixed(3)
    : `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

/** Only addresses of pages become links. */
function safeHref(link: string): string {
  return /^https?:\/\//iu.test(link) ? link : '#';
}

/** Text as HTML shows it, in elements and in quoted attributes. */
function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/gu, '\ufffd');
}
