import type { ResultRecord } from '../record.ts';
import { latexText } from './tables.ts';

/** Returns an entry that cites a result: what was measured, how, and the record's digest, by which it can be found again. */
export function bibtexEntry(record: ResultRecord, link: string): string {
  const { model, benchmark, protocol, createdAt, id } = record;
  const key = `assay-${id.slice(0, 12)}`;
  const fields: readonly (readonly [string, string])[] = [
    ['title', `{${latexText(`${model.id} on ${benchmark.id}: a result measured with Assay`)}}`],
    ['year', createdAt.slice(0, 4)],
    ['month', String(Number(createdAt.slice(5, 7)))],
    ['note', `{${latexText(`Protocol ${protocol.id}, ${model.dtype} weights, record sha256 ${id}`)}}`],
    // A payload's letters, digits, - and _ need no escape within \url.
    ['howpublished', `{\\url{${link.replace(/[{}\\\s]/gu, '')}}}`],
  ];
  return `@misc{${key},\n${fields.map(([name, value]) => `  ${name} = ${value},\n`).join('')}}\n`;
}
