import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/domain/digest.ts';
import { openMemoryStore } from '../../../src/store/open-store.ts';
import { ModelFiles, type ModelFileKeep } from '../../../workers/encode/model-files.ts';
import { storedModelFiles } from '../../../workers/encode/stored-model-files.ts';
import { BUNDLED_FOLDER, filesOf, loadInNode } from './node-model.ts';

const close: (() => void)[] = [];
afterEach(() => close.splice(0).forEach((end) => end()));

/** A server whose answers a test changes; its address ends in `/`. */
async function serve(answers: Record<string, RequestListener>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers[decodeURIComponent(request.url ?? '').slice(1)];
    if (answer) return answer(request, response);
    response.writeHead(404).end('no such file');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const json: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"model_type":"bert"}');
const onnx = Uint8Array.of(0x08, 1, 2, 3, 4, 5, 6, 7, 8, 9);

function filesFrom(
  baseUrl: string,
  keep: ModelFileKeep = storedModelFiles(openMemoryStore().store, 'tiny', 'r1'),
) {
  return new ModelFiles({ modelId: 'tiny', origin: { kind: 'url', baseUrl }, keep });
}

describe('model files', () => {
  it('are kept once they are right, listed with digest, and read from the store afterwards', async () => {
    const { store } = openMemoryStore();
    const keep = storedModelFiles(store, 'tiny', 'r1');
    let asked = 0;
    const base = await serve({
      'a b/config.json': (request, response) => {
        asked++;
        json(request, response);
      },
    });
    const first = await filesFrom(base, keep).load({ path: 'a b/config.json' });
    const second = await filesFrom(base, keep).load({ path: 'a b/config.json' });
    expect([first.fromStore, second.fromStore, asked]).toEqual([false, true, 1]);
    expect(second.bytes).toEqual(first.bytes);
    const [listed] = await store.list();
    expect(listed?.meta).toMatchObject({ group: 'tiny', path: 'a b/config.json', digest: first.digest });
  });

  it('of more than one block come back whole', async () => {
    const keep = storedModelFiles(openMemoryStore().store, 'big', 'r1');
    const bytes = new Uint8Array(20 * 1024 * 1024).map((_, i) => i % 251);
    const digest = await digestOf(bytes);
    await keep.write('onnx/model.onnx', bytes, digest, 'here');
    const read = await keep.read('onnx/model.onnx');
    expect(read?.digest).toBe(digest);
    expect(read?.bytes.byteLength).toBe(bytes.byteLength);
    expect(await digestOf(read?.bytes ?? '')).toBe(digest);
  });

  const damaged: [string, string, RequestListener, RegExp][] = [
    [
      'a web page with status 200 for a missing file',
      'tokenizer.json',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html>'),
      /tokenizer\.json is missing at .*web page/,
    ],
    [
      'the same without a content type',
      'tokenizer.json',
      (_, response) => response.writeHead(200).end('<!DOCTYPE html>'),
      /tokenizer\.json from .* is not JSON/,
    ],
    [
      'one byte and zeros',
      'tokenizer.json',
      (_, response) => response.writeHead(200).end(Buffer.concat([Buffer.from('{'), Buffer.alloc(9)])),
      /tokenizer\.json from .* is not JSON/,
    ],
    [
      'weights cut at 60 %',
      'onnx/model.onnx',
      (_, response) => response.writeHead(200).end(onnx.subarray(0, 6)),
      /onnx\/model\.onnx from .* has 6 bytes where 10 belong \(cut off\)/,
    ],
    [
      'other weights of the same size',
      'onnx/model.onnx',
      (_, response) => response.writeHead(200).end(onnx.map((byte, i) => (i === 9 ? 0 : byte))),
      /has SHA-256 [0-9a-f]{64} where [0-9a-f]{64} belongs/,
    ],
    [
      'something that is no graph',
      'other.onnx',
      (_, response) => response.writeHead(200).end('version https://git-lfs'),
      /other\.onnx from .* is not an ONNX graph \(it starts with 76 65 72 73\)/,
    ],
    [
      'nothing',
      'config.json',
      (_, response) => response.writeHead(200).end(),
      /config\.json from .* is empty/,
    ],
    [
      'a missing file',
      'gone.json',
      (_, response) => response.writeHead(404).end(),
      /the file gone\.json is missing at/,
    ],
    ['a refusal', 'config.json', (_, response) => response.writeHead(401).end(), /answers 401: .* token/],
    ['a failing server', 'config.json', (_, response) => response.writeHead(503).end(), /answers 503/],
  ];
  it.each(damaged)(
    '%s: a clear error, nothing kept, and right once the server is',
    async (_, path, answer, message) => {
      const answers: Record<string, RequestListener> = { [path]: answer };
      const base = await serve(answers);
      const { store } = openMemoryStore();
      const files = filesFrom(base, storedModelFiles(store, 'tiny', 'r1'));
      const file = path === 'onnx/model.onnx' ? { path, bytes: 10, sha256: await digestOf(onnx) } : { path };
      await expect(files.load(file)).rejects.toThrow(message);
      await expect(files.load(file)).rejects.toThrow(/^model tiny: /);
      expect(await store.list()).toEqual([]);
      answers[path] = path.endsWith('.onnx') ? (_, response) => response.writeHead(200).end(onnx) : json;
      expect((await files.load(file)).fromStore).toBe(false);
      expect((await files.load(file)).fromStore).toBe(true);
    },
  );

  it('a stored file that is not the declared one is dropped and fetched again', async () => {
    const keep = storedModelFiles(openMemoryStore().store, 'tiny', 'r1');
    const old = new TextEncoder().encode('{"old":true}');
    await keep.write('config.json', old, await digestOf(old), 'an older app');
    const base = await serve({ 'config.json': json });
    const loaded = await filesFrom(base, keep).load({
      path: 'config.json',
      sha256: await digestOf('{"model_type":"bert"}'),
    });
    expect(loaded.fromStore).toBe(false);
    expect(new TextDecoder().decode(loaded.bytes)).toContain('bert');
  });

  it('of a connection that breaks are refused', async () => {
    const base = await serve({
      'config.json': (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"a":');
        setTimeout(() => response.destroy(), 20);
      },
    });
    await expect(filesFrom(base).load({ path: 'config.json' })).rejects.toThrow(/config\.json.*(broke|sent)/);
  });

  it('of an opened folder: a missing one is named', async () => {
    const files = new ModelFiles({
      modelId: 'mine',
      origin: { kind: 'files', files: [{ path: 'config.json', body: new Blob(['{}']) }] },
      keep: storedModelFiles(openMemoryStore().store, 'mine', 'x'),
    });
    expect((await files.load({ path: 'config.json' })).bytes).toHaveLength(2);
    await expect(files.load({ path: 'tokenizer.json' })).rejects.toThrow(
      'model mine: the file tokenizer.json is missing at the opened folder (1 files)',
    );
    expect(await files.loadIfPresent({ path: 'probes.json' })).toBeUndefined();
  });
});

describe('a model that the runtime cannot use', () => {
  it('is named with its file: weights cut off, a tokenizer that is none', async () => {
    const files = filesOf(BUNDLED_FOLDER);
    const weights = files.get('onnx/model_quantized.onnx') ?? new Uint8Array();
    const cut = new Map(files).set('onnx/model_quantized.onnx', weights.slice(0, weights.length * 0.6));
    await expect(loadInNode(BUNDLED_FOLDER, { files: cut, modelId: 'cut' })).rejects.toMatchObject({
      code: 'model-unusable',
      message: expect.stringContaining('model cut: onnx/model_quantized.onnx cannot be used') as string,
    });
    const none = new Map(files).set('tokenizer.json', new TextEncoder().encode('{}'));
    await expect(loadInNode(BUNDLED_FOLDER, { files: none, modelId: 'none' })).rejects.toMatchObject({
      code: 'model-unusable',
      message: expect.stringContaining('model none: tokenizer.json') as string,
    });
  });
});
