/** A table as text: what is on the screen, in the formats that people paste into sheets, notes and papers. */
export interface PlainTable {
  readonly heads: readonly string[];
  /** Rows of cells, as many as heads; numbers keep their full value. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export const TABLE_FORMATS = ['TSV', 'CSV', 'Markdown', 'LaTeX'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Returns the table in one of the formats, ending with a line feed. */
export function tableText(table: PlainTable, format: TableFormat): string {
  switch (format) {
    case 'TSV':
      return lines(table, '\t', (cell) => cell.replace(/[\t\r\n]+/gu, ' '));
    case 'CSV':
      return lines(table, ',', csvCell);
    case 'Markdown':
      return markdown(table);
    case 'LaTeX':
      return latex(table);
  }
}

function plain(cell: string | number | null): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? (Number.isFinite(cell) ? String(cell) : '') : cell;
}

function lines(table: PlainTable, separator: string, cellText: (cell: string) => string): string {
  return [table.heads, ...table.rows]
    .map((row) => `${row.map((cell) => cellText(plain(cell))).join(separator)}\n`)
    .join('');
}

/** RFC 4180. A text that a sheet would run as a formula gets an apostrophe in front; numbers are left alone. */
function csvCell(cell: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(cell);
  const safe = !isNumber && /^[=+\-@\t\r]/u.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function markdown(table: PlainTable): string {
  const cell = (value: string | number | null): string =>
    plain(value)
      .replace(/[\\|`*_<>[\]]/gu, (sign) => `\\${sign}`)
      .replace(/[\r\n]+/gu, ' ');
  const line = (row: readonly (string | number | null)[]): string => `| ${row.map(cell).join(' | ')} |\n`;
  const rule = `| ${table.heads.map((_, i) => (isNumeric(table, i) ? '---:' : '---')).join(' | ')} |\n`;
  return line(table.heads) + rule + table.rows.map(line).join('');
}

function latex(table: PlainTable): string {
  const columns = table.heads.map((_, i) => (isNumeric(table, i) ? 'r' : 'l')).join('');
  const line = (row: readonly (string | number | null)[]): string =>
    `${row.map((cell) => latexText(plain(cell))).join(' & ')} \\\\\n`;
  return `\\begin{tabular}{${columns}}\n\\toprule\n${line(table.heads)}\\midrule\n${table.rows.map(line).join('')}\\bottomrule\n\\end{tabular}\n`;
}

/** Escapes every character that LaTeX reads as a command. */
export function latexText(text: string): string {
  const names: Record<string, string> = {
    '\\': '\\textbackslash{}',
    '~': '\\textasciitilde{}',
    '^': '\\textasciicircum{}',
    '<': '\\textless{}',
    '>': '\\textgreater{}',
    '|': '\\textbar{}',
    '—': '---',
    '–': '--',
  };
  return text.replace(/[\\~^<>|—–&%$#_{}]/gu, (sign) => names[sign] ?? `\\${sign}`).replace(/[\r\n]+/gu, ' ');
}

function isNumeric(table: PlainTable, column: number): boolean {
  return (
    table.rows.length > 0 &&
    table.rows.every((row) => row[column] === null || typeof row[column] === 'number')
  );
}
