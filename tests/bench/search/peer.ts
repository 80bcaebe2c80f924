import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot } from '../../../cli/project-root.ts';
import { AppError } from '../../../src/domain/app-error.ts';

/** The native libraries that the search is measured against. */
export type PeerName = 'faiss' | 'numpy';

/** A Python process with the peer in it, one thread or several. */
export interface Peer {
  readonly version: string;
  /** Loads documents.npy and queries.npy of the folder. */
  load(): Promise<void>;
  /** `blas`: forced to matrix products; `shipped`: as the package decides by itself (faiss only). */
  search(
    count: number,
    k: number,
    mode: 'blas' | 'shipped',
    ids: boolean,
  ): Promise<{ ms: number; ids: number[][] }>;
  end(): void;
}

/** Starts a peer. Throws `peer-failed` with what to install when that Python does not have it. */
export async function startPeer(
  name: PeerName,
  python: string,
  folder: string,
  threads: number,
): Promise<Peer> {
  const script = path.join(projectRoot, 'tests', 'bench', 'search', 'peer.py');
  const child: ChildProcessWithoutNullStreams = spawn(python, [script, name, String(threads)]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  child.on('error', (error) => (errors += error.message));
  child.stdin.on('error', (error) => (errors += error.message));
  const next = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new AppError(
        'input',
        'peer-failed',
        `${name} does not run with ${python}: ${errors.trim().split('\n').at(-1) ?? ''}. Install it (pip install faiss-cpu numpy) and name that Python with --python.`,
      );
    }
    return JSON.parse(value as string) as Record<string, unknown>;
  };
  const ask = (request: object): Promise<Record<string, unknown>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    return next();
  };
  const { version } = (await next()) as { version: string };
  return {
    version,
    async load() {
      await ask({
        do: 'load',
        documents: path.join(folder, 'documents.npy'),
        queries: path.join(folder, 'queries.npy'),
      });
    },
    search: (count, k, mode, ids) =>
      ask({ do: 'search', count, k, mode, ids }) as unknown as Promise<{ ms: number; ids: number[][] }>,
    end: () => void child.kill(),
  };
}
