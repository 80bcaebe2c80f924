import type { BlockEntry, Manifest } from '../contracts/blocks.ts';
import type { StoredManifest } from './backend.ts';

/** A manifest without what only the store itself needs. */
export function publicManifest(stored: StoredManifest, lastUsedAt: number): Manifest {
  const { key, kind, blocks, complete, meta, rows, bytes } = stored;
  return { key, kind, blocks, complete, meta, rows, bytes, lastUsedAt };
}

/** A list of blocks with the sums that its manifest states. */
export function sums(blocks: readonly BlockEntry[]): Pick<StoredManifest, 'blocks' | 'rows' | 'bytes'> {
  return {
    blocks,
    rows: blocks.reduce((sum, block) => sum + block.rows, 0),
    bytes: blocks.reduce((sum, block) => sum + block.bytes, 0),
  };
}
