import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('the committed kernel is, byte for byte, what its source gives', () => {
  const script = fileURLToPath(new URL('../../../scripts/build-search-kernel.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain(
    'equals its source',
  );
});
