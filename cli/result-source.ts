import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../src/domain/app-error.ts';
import { readAnyLink } from '../src/share/link.ts';
import type { Payload } from '../src/share/payload.ts';
import { parseRecord, type ResultRecord } from '../src/share/record.ts';
import { localText } from './local-file.ts';

/** A result that the command line was given, read but not yet believed. */
export type ResultSource =
  | { readonly kind: 'link'; readonly given: string; readonly payload: Payload }
  | {
      readonly kind: 'record';
      readonly given: string;
      readonly record: ResultRecord;
      /** Files beside the record, where they exist. */
      readonly runFile?: string;
      readonly linkText?: string;
      /** The folder of `evaluate` in which the record lies. */
      readonly folder: string;
    };

/**
 * Reads a result from a link, a record.json, a file that holds a link, or a folder of `assay evaluate`. The record's own
 * digest is not compared here: `verify` names it, others call readRecord's check.
 *
 * @throws AppError in words for anything else
 */
export async function resultSource(given: string): Promise<ResultSource> {
  const file = existsSync(given) ? given : undefined;
  if (file === undefined) {
    const looksLikePath = /^[./~]|\.(?:json|txt)$/u.test(given) && !given.includes('#');
    if (looksLikePath) throw new AppError('input', 'file-missing', `There is no file or folder ${given}.`);
    return { kind: 'link', given, payload: await readAnyLink(given) };
  }
  if (statSync(file).isDirectory()) return recordAt(given, path.join(file, 'record.json'));
  const text = await localText(file);
  if (text.trimStart().startsWith('{')) return recordAt(given, file, text);
  return { kind: 'link', given, payload: await readAnyLink(text) };
}

async function recordAt(given: string, file: string, text?: string): Promise<ResultSource> {
  const record = parseRecord(text ?? (await localText(file)));
  const folder = path.dirname(file);
  // Ids with blanks cannot stand in a TREC run: evaluate writes JSON then.
  const runFile = ['run.trec', 'run.json'].map((name) => path.join(folder, name)).find(existsSync);
  const linkFile = path.join(folder, 'link.txt');
  return {
    kind: 'record',
    given,
    record,
    folder,
    ...(runFile === undefined ? {} : { runFile }),
    ...(existsSync(linkFile) ? { linkText: await localText(linkFile) } : {}),
  };
}
