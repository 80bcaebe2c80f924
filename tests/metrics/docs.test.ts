import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../src/metrics/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('the list of metrics', () => {
  it('has every file that declares one', () => {
    const folder = path.join(root, 'src/metrics');
    const declared = readdirSync(folder)
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .flatMap((text) => [
        ...text.matchAll(/^export const \w+: (?:Query|Run)Metric = \{[^]*?name: '([^']+)'/gmu),
      ])
      .map((match) => match[1]);
    expect(declared.sort()).toEqual(METRICS.map((metric) => metric.name).sort());
    expect(new Set(declared).size).toBe(METRICS.length);
  });

  it('is what docs/metrics.md says (else: node scripts/build-metric-docs.mjs)', () => {
    const check = spawnSync(process.execPath, [path.join(root, 'scripts/build-metric-docs.mjs'), '--check'], {
      encoding: 'utf8',
    });
    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });
});
