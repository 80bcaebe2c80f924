import { readFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readNpz } from '../../src/codecs/npz.ts';
import { parseNpyHeader } from '../../src/codecs/npy.ts';
import { readAll } from '../../src/codecs/sequential-source.ts';
import { readZip } from '../../src/codecs/zip.ts';
import { memorySource } from './memory-source.ts';

const LIMIT = 10_000_000;
const archive = zipSync({
  'set/corpus.jsonl': strToU8('{"a":1}\n'.repeat(1000)),
  'set/stored.bin': [Uint8Array.of(1, 2, 3), { level: 0 }],
  '__MACOSX/set/._corpus.jsonl': strToU8('x'),
  'set/.DS_Store': strToU8('x'),
});

describe('zip', () => {
  it('lists and unpacks its files', async () => {
    const members = await readZip(memorySource('a.zip', archive).source);
    expect(members.map((member) => member.path)).toEqual(['set/corpus.jsonl', 'set/stored.bin']);
    const [corpus, stored] = members;
    expect(await corpus?.source.size()).toBe(8000);
    expect(new TextDecoder().decode(await readAll(corpus?.source as never, LIMIT))).toBe(
      '{"a":1}\n'.repeat(1000),
    );
    expect(await stored?.source.slice(1, 3)).toEqual(Uint8Array.of(2, 3));
    expect(await corpus?.source.fingerprint()).toMatch(/set\/corpus\.jsonl:\d+:8000$/);
  });

  it('fetches the directory and what is read, not the whole', async () => {
    const large = zipSync({
      'a.bin': [new Uint8Array(600_000), { level: 0 }],
      'b.txt': strToU8('b'),
    });
    const { source, slices } = memorySource('a.zip', large);
    const members = await readZip(source);
    expect(new TextDecoder().decode(await readAll(members[1]?.source as never, LIMIT))).toBe('b');
    const largest = Math.max(...slices.map(([from, to]) => to - from));
    expect(largest).toBeLessThan(200_000);
  });

  it('stops when an entry unpacks to more than it announced, and when bytes are damaged', async () => {
    const bomb = zipSync({ 'bomb.txt': new Uint8Array(3_000_000) });
    const view = new DataView(bomb.buffer);
    // The announced size stands in the local header (offset 22) and in the directory (offset 24 of its record).
    const directory = view.getUint32(bomb.length - 6, true);
    view.setUint32(22, 1000, true);
    view.setUint32(directory + 24, 1000, true);
    const [lie] = await readZip(memorySource('bomb.zip', bomb).source);
    await expect(readAll(lie?.source as never, LIMIT)).rejects.toMatchObject({ stage: 'codec' });
    const broken = archive.slice();
    broken.fill(0xaa, 60, 75);
    const [corpus] = await readZip(memorySource('broken.zip', broken).source);
    await expect(readAll(corpus?.source as never, LIMIT)).rejects.toMatchObject({ code: 'damaged-zip' });
  });

  it('says that a cut or foreign file is no zip', async () => {
    await expect(readZip(memorySource('cut.zip', archive.slice(0, 100)).source)).rejects.toMatchObject({
      code: 'damaged-zip',
    });
    await expect(readZip(memorySource('x.zip', strToU8('<html>')).source)).rejects.toThrow(
      /x\.zip cannot be read as a zip/,
    );
  });
});

describe('npz', () => {
  it('gives each array under its key', async () => {
    const bytes = new Uint8Array(readFileSync(path.join(import.meta.dirname, 'arrays.npz')));
    const members = await readNpz(memorySource('arrays.npz', bytes).source);
    expect(members.map((member) => member.key)).toEqual(['documents', 'queries']);
    const heads = await Promise.all(
      members.map(async ({ npy }) => parseNpyHeader(await readAll(npy, LIMIT))),
    );
    expect(heads).toMatchObject([
      { shape: [3, 2], dtype: 'float32' },
      { shape: [1, 2], dtype: 'float16' },
    ]);
  });
});
