import fs, { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { alignChange } from '../../../src/construct/repo/build.ts';
import { hunksBetween } from '../../../src/construct/repo/change.ts';
import { Repository, type Commit } from '../../../src/construct/repo/repository.ts';
import { requestOf } from '../../../src/construct/repo/request-text.ts';
import { SnapshotCorpus } from '../../../src/construct/repo/snapshot-corpus.ts';
import type { SyntaxParsers } from '../../../src/construct/syntax/syntax-parsers.ts';
import { openParsers } from '../parsers.ts';

interface GoldenFile {
  readonly status: string;
  readonly path: string;
  /** Of a rename: the path after it. */
  readonly newPath?: string;
  readonly baseBlob?: string;
  readonly headBlob?: string;
  readonly hunks?: readonly { readonly base: readonly [number, number] | null; readonly after?: number }[];
  readonly functions?: readonly { readonly qualname: string; readonly start: number; readonly end: number }[];
}
interface GoldenItem {
  readonly id: string;
  readonly head: string;
  readonly base: string;
  readonly message: string;
  readonly query: string;
  readonly files: readonly GoldenFile[];
}

const goldenFile = new URL('../../../../shared/golden/l2-click.json', import.meta.url);
/** A git directory of pallets/click; made by "git clone --bare https://github.com/pallets/click". */
const clone = process.env['ASSAY_CLICK'] ?? '/nowhere';

describe.skipIf(!existsSync(goldenFile) || !existsSync(clone))(
  'golden changes of pallets/click (skipped without ../shared or a git directory in ASSAY_CLICK)',
  () => {
    const { items } = existsSync(goldenFile)
      ? (JSON.parse(readFileSync(goldenFile, 'utf8')) as { items: GoldenItem[] })
      : { items: [] };
    const repository = new Repository(fs, clone);
    let parsers: SyntaxParsers;
    beforeAll(async () => {
      parsers = await openParsers();
      parsers.close();
      const { ALL_GRAMMARS } = await import('../../../src/construct/repo/languages.ts');
      parsers = await openParsers(ALL_GRAMMARS);
    });

    it.each(items.map((item) => [item.id, item] as const))('%s', async (_, item) => {
      const base = (await repository.commit(item.base)) as Commit;
      const head = (await repository.commit(item.head)) as Commit;
      expect(head.parents[0]).toBe(item.base);
      const changed = await repository.changes(base.tree, head.tree);
      const paths = item.files.flatMap((file) => [file.path, file.newPath ?? file.path]);
      expect(new Set(changed.map(({ path }) => path))).toEqual(new Set(paths));

      const { title } = requestOf(item.message);
      expect(item.query.startsWith(title) || title.startsWith(item.query)).toBe(true);

      const corpus = new SnapshotCorpus(repository, parsers);
      for (const file of item.files) {
        if (file.baseBlob === undefined || file.headBlob === undefined) continue;
        const before = await corpus.text(file.path, file.baseBlob);
        const after = await corpus.text(file.newPath ?? file.path, file.headBlob);
        if (typeof before === 'string' || typeof after === 'string') continue;
        // Another diff may cut elsewhere among equal lines: compare how many lines change.
        const hunks = hunksBetween(before.text, after.text) ?? [];
        const size = (span: readonly [number, number] | null): number =>
          span === null ? 0 : span[1] - span[0] + 1;
        const wanted = (file.hunks ?? []).reduce((sum, hunk) => sum + size(hunk.base), 0);
        const found = hunks.reduce(
          (sum, hunk) => sum + (hunk.kind === 'edit' ? hunk.base.last - hunk.base.first + 1 : 0),
          0,
        );
        expect(found).toBeLessThanOrEqual(wanted + 2);
      }

      const aligned = await alignChange(changed, base, corpus, 0.5);
      if (typeof aligned === 'string') throw new Error(aligned);
      expect(aligned.editedLines.covered).toBe(aligned.editedLines.all);
      const gold = aligned.gold.map((piece) => corpus.pieces[piece]);
      // New files are never gold.
      for (const { status, path } of item.files)
        if (status === 'A') expect(gold.some((piece) => piece?.path === path)).toBe(false);
      // Every function that the change edits lies in a gold piece, at least in part.
      for (const file of item.files)
        for (const { qualname, start, end } of file.functions ?? []) {
          const meets = gold.some(
            (piece) => piece?.path === file.path && piece.span.first <= end && piece.span.last >= start,
          );
          expect(`${qualname} ${meets ? 'found' : 'missed'}`).toBe(`${qualname} found`);
        }
    });
  },
);
