import { latexText } from './copy-table.ts';
import { countOf, intervalText, metricText } from './format.ts';
import { cellName, factsOf, headlineCell, type OpenedResult } from './opened-result.ts';

/** The parts of the sentence that a paper would print. */
interface HeadlineParts {
  readonly metric: string;
  readonly value: string;
  readonly interval: string | undefined;
  readonly rest: readonly string[];
}

function partsOf(result: OpenedResult): HeadlineParts {
  const facts = factsOf(result);
  const cell = headlineCell(result.report);
  return {
    metric: cell === undefined ? 'no metric' : cellName(cell),
    value: metricText(cell?.value ?? undefined),
    interval:
      cell === undefined || cell.low === null || cell.high === null
        ? undefined
        : intervalText(cell.low, cell.high),
    rest: [
      countOf(result.report.counts.queries, 'query', 'queries'),
      `${facts.model} ${facts.dtype} on ${facts.device}`,
      `benchmark ${facts.benchmark}`,
      `protocol ${facts.protocol}`,
    ],
  };
}

/** `exec@1 = 0.183, 95 % interval 0.14 to 0.23, 120 queries, all-MiniLM-L6-v2 q8 on WASM, …`. */
export function headlineText(result: OpenedResult): string {
  const { metric, value, interval, rest } = partsOf(result);
  return [
    `${metric} = ${value}`,
    ...(interval === undefined ? [] : [`95 % interval ${interval}`]),
    ...rest,
  ].join(', ');
}

/** The sentence with the number in bold and the whole linked to its receipt. */
export function headlineMarkdown(result: OpenedResult): string {
  const { metric, value, interval, rest } = partsOf(result);
  const name = metric.replace(/[_*`[\]]/gu, '\\$&');
  const facts = rest.map((part) => part.replace(/[_*`[\]<>]/gu, '\\$&'));
  const sentence = [
    `**${name} = ${value}**`,
    ...(interval === undefined ? [] : [`95 % interval ${interval}`]),
    ...facts,
  ];
  return `${sentence.join(', ')} ([receipt](${result.link}))\n`;
}

/** The sentence for a paper. */
export function headlineLatex(result: OpenedResult): string {
  const { metric, value, interval, rest } = partsOf(result);
  return `${[
    `${latexText(metric)} $= ${value}$`,
    ...(interval === undefined ? [] : [`95\\,\\% interval ${interval}`]),
    ...rest.map(latexText),
  ].join(', ')}\n`;
}

/** An entry that names the result by its digest and gives the receipt as its address. */
export function headlineBibtex(result: OpenedResult): string {
  const facts = factsOf(result);
  const year = /^\d{4}/u.exec(facts.createdAt)?.[0] ?? '';
  return `@misc{assay-${facts.recordId.slice(0, 12)},
  title = {${latexText(`${facts.model} ${facts.dtype} on ${facts.benchmark}: ${headlineText(result).split(', ').slice(0, 2).join(', ')}`)}},
  howpublished = {Assay ${latexText(facts.assayVersion)}},
  year = {${year}},
  note = {protocol ${latexText(facts.protocol)}, record sha256 ${facts.recordId}},
  url = {${result.link}}
}
`;
}
