import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What the script that builds exec-mini says of sources that somebody has broken. It runs on a copy; nothing is written. */
const root = fileURLToPath(new URL('../../', import.meta.url));
let sources = '';

beforeAll(() => {
  sources = mkdtempSync(join(tmpdir(), 'exec-mini-gates-'));
  cpSync(join(root, 'benchmark-sources/exec-mini'), sources, { recursive: true });
});
afterAll(() => {
  rmSync(sources, { recursive: true });
});

/** Runs the check on the copy with one file rewritten, then restores it; returns what was printed on standard error. */
function complaint(file: string, rewrite: (text: string) => string): string {
  const path = join(sources, file);
  const before = readFileSync(path, 'utf8');
  const after = rewrite(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  const script = join(root, 'scripts/make-exec-mini.mjs');
  const run = spawnSync(process.execPath, [script, '--check', '--sources', sources], { encoding: 'utf8' });
  writeFileSync(path, before);
  expect(run.status).toBe(1);
  expect(run.stdout).toBe('');
  return run.stderr;
}

interface Edit {
  bug_type: string;
  find: string;
  replace: string;
  occurrence?: number;
}
const withFirstEdit = (change: (edit: Edit, all: Edit[]) => Edit) => (text: string) => {
  const edits = JSON.parse(text) as Edit[];
  const [first, ...rest] = edits;
  if (first === undefined) throw new Error('no edits');
  return JSON.stringify([change(first, edits), ...rest]);
};

describe('the gates of exec-mini', () => {
  it('name the place of an edit that does not fit its canonical', () => {
    const file = 'exec_geometry_1/distractors.json';
    expect(
      complaint(
        file,
        withFirstEdit((edit) => ({ ...edit, find: 'no such text' })),
      ),
    ).toContain(`${file}: not in canonical.py: "no such text"`);
  });

  it('refuse text that stands in the canonical more than once', () => {
    const edit = { bug_type: 'off_by_one', find: 'start', replace: 'begin' };
    expect(
      complaint(
        'exec_geometry_1/distractors.json',
        withFirstEdit(() => edit),
      ),
    ).toMatch(/exec_geometry_1\/distractors\.json: \d+ times in canonical\.py, give an occurrence: start/);
  });

  it('refuse an unknown bug type and broken JSON', () => {
    const file = 'exec_validation_2/distractors.json';
    expect(
      complaint(
        file,
        withFirstEdit((edit) => ({ ...edit, bug_type: 'typo' })),
      ),
    ).toMatch(/exec_validation_2\/distractors\.json: 0\.bug_type: .*"typo"/);
    expect(complaint(file, (text) => text.slice(1))).toContain(`${file}: `);
  });

  it('refuse a test that is no single assert', () => {
    expect(complaint('exec_collections_3/tests.py', (text) => `print(1)\n${text}`)).toContain(
      'exec_collections_3: test 1 is not one assert that calls merge_nested_settings: print(1)',
    );
  });

  it('refuse a canonical that does not parse or lacks its function', () => {
    expect(complaint('exec_math_numerical_1/canonical.py', (text) => `def (:\n${text}`)).toContain(
      'exec_math_numerical_1 canonical: does not parse',
    );
  });

  it('refuse the same code twice', () => {
    const twice = withFirstEdit((first, all) => ({ ...first, ...all[1] }));
    expect(complaint('exec_date_time_1/distractors.json', twice)).toMatch(
      /exec_date_time_1 distractor 2 \(\w+\): the same code as exec_date_time_1 distractor 1/,
    );
  });

  it('refuse a query that spells out the name, and folders that the registry does not list', () => {
    const lines = (change: (rows: string[]) => string[]) => (text: string) =>
      change(text.trimEnd().split('\n')).join('\n') + '\n';
    const naming = lines(([first = '', ...rest]) => [
      JSON.stringify({ ...JSON.parse(first), query: 'code of pack_rgb565 in python' }),
      ...rest,
    ]);
    expect(complaint('registry.jsonl', naming)).toContain(
      "the query spells out the function's name pack_rgb565",
    );
    const shorter = complaint(
      'registry.jsonl',
      lines((rows) => rows.slice(0, -1)),
    );
    expect(shorter).toMatch(/folders missing from registry\.jsonl: exec_validation_\d+/);
  });

  it('refuse code whose outcomes nobody has executed', () => {
    expect(complaint('exec_state_machines_1/canonical.py', (text) => `${text}\n# more\n`)).toContain(
      'a snippet has no stored outcomes, run again with --judge',
    );
  });
});
