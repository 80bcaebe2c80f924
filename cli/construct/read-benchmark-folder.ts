import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TrainingBenchmark } from '../../src/construct/train/training-data.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { BlobSource } from '../../src/sources/blob-source.ts';
import { detectLayout } from '../../src/sources/layouts/detect.ts';

/** Reads a benchmark folder in any layout that `evaluate` takes. `part` picks one of several inside. */
export async function readBenchmarkFolder(folder: string, part?: string): Promise<TrainingBenchmark> {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true)
    throw new AppError('input', 'no-such-folder', `There is no folder ${folder}.`);
  const files = new Map<string, BlobSource>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(folder, name);
    if (!statSync(file).isFile() || name.split(path.sep).some((step) => step.startsWith('.'))) continue;
    files.set(name.split(path.sep).join('/'), new BlobSource(name, new Blob([readFileSync(file)])));
  }
  const layout = await detectLayout({ name: folder, files }, part === undefined ? {} : { part });
  const context = {
    warn: (_code: string, message: string, sample: string) => console.error(`${message}: ${sample}`),
  };
  const documents = new Map<string, string>();
  for await (const batch of layout.documents(undefined, context))
    for (const { value } of batch) documents.set(value.id, value.text);
  const queries: TrainingBenchmark['queries'][number][] = [];
  const grades = new Map<string, Map<string, number>>();
  const judge = (queryId: string, documentId: string, grade: number): void => {
    let ofQuery = grades.get(queryId);
    if (ofQuery === undefined) grades.set(queryId, (ofQuery = new Map()));
    ofQuery.set(documentId, grade);
  };
  for await (const batch of layout.queries({ ...context, documentExtras: async () => new Map() }))
    for (const { value } of batch) {
      const { id, text, visible } = value;
      queries.push({ id, text, ...(visible === undefined ? {} : { visible }) });
      for (const { documentId, grade } of value.judgements ?? []) judge(id, documentId, grade);
      // ExecRetrieval's own distractors are its hard negatives.
      for (const { documentId } of value.task?.distractors ?? []) judge(id, documentId, 0);
    }
  if (layout.judgements !== undefined)
    for await (const batch of layout.judgements(context))
      for (const { value } of batch) judge(value.queryId, value.documentId, value.grade);
  return { documents, queries, grades };
}
