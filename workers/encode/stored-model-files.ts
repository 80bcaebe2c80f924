import { AppError } from '../../src/domain/app-error.ts';
import { MAX_BLOCK_BYTES, type SetKey } from '../../src/contracts/blocks.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import type { ModelFileKeep } from './model-files.ts';

/**
 * Returns the store's drawer for one model's files: each file is a set of its own, which the storage view lists under the
 * model's id. Blocks carry digests, so that a file that the browser damaged or lost counts as absent.
 */
export function storedModelFiles(store: BlockStore, modelId: string, revision: string): ModelFileKeep {
  const keyOf = (path: string): SetKey<'file'> => `file:model/${modelId}/${revision}/${path}`;
  return {
    async read(path) {
      const key = keyOf(path);
      const manifest = await store.manifest(key);
      if (!manifest?.complete || manifest.meta.digest === undefined) return undefined;
      const bytes = new Uint8Array(manifest.rows);
      let offset = 0;
      try {
        for await (const block of store.readBlocks(key)) {
          bytes.set(block.bytes, offset);
          offset += block.bytes.byteLength;
        }
      } catch (error) {
        if (error instanceof AppError && /^(block|set)-/.test(error.code)) return undefined;
        throw error;
      }
      await store.touch([key]);
      return { bytes, digest: manifest.meta.digest };
    },
    async write(path, bytes, digest, source) {
      const blocks = [];
      for (let start = 0; start < bytes.byteLength; start += MAX_BLOCK_BYTES)
        blocks.push({ bytes: bytes.subarray(start, start + MAX_BLOCK_BYTES) });
      const contentType = path.endsWith('.json') ? 'application/json' : 'application/octet-stream';
      await store.writeSet(keyOf(path), { group: modelId, path, contentType, digest, source }, blocks);
    },
    remove: (path) => store.remove(keyOf(path)),
  };
}

/** A drawer that keeps nothing: for files that lie on the user's disk anyway. */
export const KEEPS_NOTHING: ModelFileKeep = {
  read: async () => undefined,
  write: async () => undefined,
  remove: async () => undefined,
};
