import type { ByteSource } from './byte-source.ts';
import { readZip } from './zip.ts';

/** One array of an .npz file; its bytes are an .npy file. */
export interface NpzMember {
  /** The key under which NumPy shows it. */
  readonly key: string;
  readonly npy: ByteSource;
}

/** The arrays of an .npz file (a zip of .npy files), in file order. Errors as for a zip. */
export async function readNpz(source: ByteSource, signal?: AbortSignal): Promise<NpzMember[]> {
  const members = await readZip(source, signal);
  return members
    .filter(({ path }) => path.endsWith('.npy'))
    .map(({ path, source: npy }) => ({ key: path.slice(0, -'.npy'.length), npy }));
}
