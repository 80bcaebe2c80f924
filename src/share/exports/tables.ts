import { compareResults, type ComparedResult } from '../compared-result.ts';

/** One cell of a table of results. */
export interface TableCell {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Tie group of the metric's comparison: systems that share a letter do not differ. Empty for one system. */
  readonly letters: string;
}

/** Results side by side. */
export interface ResultsTable {
  readonly metrics: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly TableCell[] }[];
}

/**
 * Returns results as a table with intervals and tie groups, in the order of the first metric, best first.
 *
 * @throws AppError as compareResults
 */
export function resultsTable(results: readonly ComparedResult[], metrics: readonly string[]): ResultsTable {
  const letters = metrics.map((metric) =>
    results.length < 2
      ? new Map<string, string>()
      : new Map(
          compareResults(results, metric).groups.systems.map(({ name, letters: group }) => [name, group]),
        ),
  );
  const rows = results.map(({ name, report }) => ({
    name,
    cells: metrics.map((metric, m): TableCell => {
      const { value, low, high } = report.cells[report.columns.indexOf(metric)] ?? {
        value: null,
        low: null,
        high: null,
      };
      return { value: value ?? 0, low, high, letters: letters[m]?.get(name) ?? '' };
    }),
  }));
  return { metrics, rows: rows.sort((a, b) => (b.cells[0]?.value ?? 0) - (a.cells[0]?.value ?? 0)) };
}

/** Returns a table as CSV (RFC 4180): one row a system and metric, every digit. A name that a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvText({ metrics, rows }: ResultsTable): string {
  const lines = [['system', 'metric', 'value', 'low', 'high', 'tie_group']];
  for (const { name, cells } of rows)
    cells.forEach(({ value, low, high, letters }, m) =>
      lines.push([
        name,
        metrics[m] ?? '',
        String(value),
        low === null ? '' : String(low),
        high === null ? '' : String(high),
        letters,
      ]),
    );
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/u.test(text) && !/^-?\d/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Returns a table as LaTeX (booktabs): three decimals, tie groups as superscripts; the best group's cells are bold, since
 * the largest number alone may be chance.
 */
export function latexTable({ metrics, rows }: ResultsTable, caption: string): string {
  const body = rows.map(({ name, cells }) => {
    const texts = cells.map(({ value, letters }) => {
      const number = value.toFixed(3);
      const bold = letters.includes('a') ? `\\textbf{${number}}` : number;
      return letters === '' ? number : `${bold}\\textsuperscript{${letters}}`;
    });
    return `  ${[latexText(name), ...texts].join(' & ')} \\\\`;
  });
  return [
    '\\begin{table}',
    '\\centering',
    `\\begin{tabular}{l${'r'.repeat(metrics.length)}}`,
    '\\toprule',
    `  ${['System', ...metrics.map(latexText)].join(' & ')} \\\\`,
    '\\midrule',
    ...body,
    '\\bottomrule',
    '\\end{tabular}',
    `\\caption{${latexText(caption)} Systems that share a letter do not differ (Holm, .05).}`,
    '\\end{table}',
    '',
  ].join('\n');
}

const LATEX_SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  '%': '\\%',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

/** Text as LaTeX shows it; control characters are dropped. */
export function latexText(text: string): string {
  return text.replace(/\p{Cc}/gu, '').replace(/[\\{}$&#_%~^]/gu, (sign) => LATEX_SIGNS[sign] ?? sign);
}
