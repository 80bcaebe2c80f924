import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordJsonSchema } from '../../src/share/record-json-schema.ts';
import { parseRecord, printRecord, readRecord, RECORD_SCHEMA } from '../../src/share/record.ts';
import { resultFixture } from './result-fixture.ts';

const root = path.resolve(import.meta.dirname, '../..');
const published = path.join(root, 'public/schema', `${RECORD_SCHEMA.replace('/', '-')}.json`);
const fixtures = path.join(root, 'tests/share/fixtures');
/** Set to write what is published anew, after the schema was changed on purpose. */
const writing = process.env['ASSAY_WRITE_SCHEMA'] === '1';

describe('the record', () => {
  it('is published as JSON Schema, and the published one is that of the code', () => {
    const text = `${JSON.stringify(recordJsonSchema(), null, 1)}\n`;
    if (writing) {
      mkdirSync(path.dirname(published), { recursive: true });
      writeFileSync(published, text);
    }
    expect(
      readFileSync(published, 'utf8'),
      'run with ASSAY_WRITE_SCHEMA=1 to publish the changed schema',
    ).toBe(text);
    expect(text).toContain('"benchmark"');
    expect(text).toContain('perQuery');
  });

  it('of every released schema can still be read', async () => {
    const current = path.join(fixtures, `${RECORD_SCHEMA.replace('/', '-')}.json`);
    if (writing && !existsSync(current)) {
      mkdirSync(fixtures, { recursive: true });
      writeFileSync(current, printRecord((await resultFixture(1, 3)).record));
    }
    const names = readdirSync(fixtures).filter((name) => name.startsWith('assay-record-'));
    expect(names).toContain(path.basename(current));
    for (const name of names) {
      const record = await readRecord(readFileSync(path.join(fixtures, name), 'utf8'));
      expect(record.schema).toBe(RECORD_SCHEMA);
      expect(record.report.perQuery.length).toBeGreaterThan(0);
    }
  });

  it('comes back from its text, whatever its names are', async () => {
    const names = [
      'Тест 中文 😀 \' " < & \u0000',
      '<img src=x onerror=alert(1)>',
      'javascript:alert(1)',
      '__proto__',
    ];
    for (const name of names) {
      const { record } = await resultFixture(2, 3);
      const { id: _id, ...content } = { ...record, benchmark: { ...record.benchmark, id: name, name } };
      const { sealRecord } = await import('../../src/share/record.ts');
      const sealed = await sealRecord(content);
      expect(await readRecord(printRecord(sealed))).toEqual(sealed);
    }
  });

  it('is refused with the place when a member is missing, unknown, out of range or no number', async () => {
    const { record } = await resultFixture(3, 3);
    const text = printRecord(record);
    const changed = (from: string | RegExp, to: string): (() => unknown) => {
      const other = text.replace(from, to);
      expect(other).not.toBe(text);
      return () => parseRecord(other);
    };
    expect(changed('{', '{"more": 1,')).toThrow(/more/);
    expect(changed('{', '{"__proto__": {"polluted": 1},')).toThrow(/__proto__|more|Invalid/);
    expect(changed(/"ms": 12/, '"ms": NaN')).toThrow(/not JSON: line \d+ holds NaN/);
    expect(changed(/"ms": 12/, '"ms": 1e999')).toThrow(/timings\.0\.ms/);
    expect(changed(/"ms": 12/, '"ms": "12"')).toThrow(/timings\.0\.ms/);
    expect(changed(/"value": [01][0-9.]*,/, '"value": 1.7,')).toThrow(/report\.cells/);
    expect(changed(/"createdAt": "[^"]*"/, '"createdAt": "yesterday"')).toThrow(/createdAt/);
    expect(changed('assay-record/1', 'assay-record/99')).toThrow(/newer version/);
    expect(changed('assay-record/1', 'something')).toThrow(/not a record/);
    expect(() => parseRecord('null')).toThrow(/not a record/);
    expect(() => parseRecord('[')).toThrow(/not JSON/);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('is refused when its content does not have its digest', async () => {
    const { record } = await resultFixture(4, 3);
    await expect(readRecord(printRecord({ ...record, depth: 999 }))).rejects.toThrow(/was altered/);
  });
});
