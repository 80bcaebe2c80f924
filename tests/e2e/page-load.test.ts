import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPage, type OpenedPage } from './browser.ts';

const source = 'public/benchmarks/exec-mini/data';

/** A folder in ExecRetrieval's layout with the first tasks of exec-mini. */
function writeFolder(folder: string, tasks: number): void {
  mkdirSync(path.join(folder, 'data'), { recursive: true });
  const lines = (file: string): string[] =>
    readFileSync(path.join(source, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const queries = lines('queries.jsonl').slice(0, tasks);
  const ids = new Set(
    queries.flatMap((line) => {
      const row = JSON.parse(line) as {
        correct_corpus_ids: string[];
        paired_distractor_corpus_ids: string[];
      };
      return [...row.correct_corpus_ids, ...row.paired_distractor_corpus_ids];
    }),
  );
  const corpus = lines('corpus.jsonl').filter((line) =>
    ids.has((JSON.parse(line) as { corpus_id: string }).corpus_id),
  );
  writeFileSync(path.join(folder, 'data/queries.jsonl'), `${queries.join('\n')}\n`);
  writeFileSync(path.join(folder, 'data/corpus.jsonl'), `${corpus.join('\n')}\n`);
}

describe('data of the user’s own', () => {
  let opened: OpenedPage;
  let page: Page;
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-load-'));

  beforeAll(async () => {
    opened = await openPage({ address: `${inject('appUrl')}#/load` });
    ({ page } = opened);
  });

  afterAll(async () => {
    await opened.context.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('loads a folder into the store and offers it on the first screen', async () => {
    const mine = path.join(folder, 'mine');
    writeFolder(mine, 3);
    await page.getByLabel('A folder', { exact: true }).setInputFiles(mine);
    await page.getByRole('heading', { name: 'mine is in the store' }).waitFor();
    await page.getByText(/15 documents, 3 queries, 3 judgements; with tests to execute/).waitFor();
    await page.getByRole('link', { name: 'Evaluate it' }).click();
    await page.getByText('your own data', { exact: true }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/evaluate?benchmark=mine');
    expect(opened.problems).toEqual([]);
  });

  it('runs it without the files', async () => {
    await page.goto(`${inject('appUrl')}#/evaluate?benchmark=mine&device=wasm`);
    await page.reload();
    await page.getByText('your own data', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText(/complete, started/).waitFor({ timeout: 110_000 });
    expect(await page.getByText('mine · all-MiniLM-L6-v2 q8').count()).toBe(1);
  });

  it('names what is wrong with other files, and asks what their columns mean', async () => {
    await page.goto(`${inject('appUrl')}#/load`);
    const table = path.join(folder, 'table.csv');
    writeFileSync(table, 'nr,words\n1,one\n2,two\n');
    await page.getByLabel('A zip, or single files').setInputFiles(table);
    await page
      .getByRole('alert')
      .getByText(/has no file for/)
      .waitFor();
    await page.getByRole('heading', { name: 'What do the columns mean?' }).waitFor();
    await page.getByRole('cell', { name: 'two' }).waitFor();
    expect(await page.getByRole('button', { name: 'Load with these columns' }).isDisabled()).toBe(true);

    const broken = path.join(folder, 'broken');
    writeFolder(broken, 1);
    writeFileSync(path.join(broken, 'data/corpus.jsonl'), '{"corpus_id": "a", "code": "x"}\nnot json\n');
    await page.getByLabel('A folder', { exact: true }).setInputFiles(broken);
    await page
      .getByRole('alert')
      .getByText(/corpus\.jsonl.*2/)
      .waitFor();
    expect(await page.getByText('is in the store').count()).toBe(0);
  });
});
