import coordinatorUrl from '../../build/judge/coordinator.txt?url';
import frameScript from '../../build/judge/frame.txt?raw';
import imageUrl from '../../build/judge/image.bin?url';
import interpreterScriptUrl from '../../build/judge/interpreter.txt?url';
import interpreterUrl from '../../build/judge/interpreter.bin?url';
import libraryUrl from '../../build/judge/library.bin?url';
import manifestText from '../../build/judge/manifest.json?raw';
import prepareUrl from '../../build/judge/prepare.txt?url';
import { AppError } from '../domain/app-error.ts';
import { digestOf } from '../domain/digest.ts';

/** What scripts/build-judge.mjs wrote beside its products. */
export interface JudgeManifest {
  /** `sha256-…` of the frame's script, as it stands in a policy. */
  readonly frameScriptHash: string;
  /** Version of the pyodide package that the interpreter comes from. */
  readonly version: string;
  /** Sizes and SHA-256 of the unpacked files. */
  readonly assets: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>;
}

/** The build's own description of the oracle's files. */
export const judgeManifest = JSON.parse(manifestText) as JudgeManifest;

/** The script of the sandbox frame, byte for byte as its hash in the policy was taken. */
export const judgeFrameScript = frameScript;

/** Everything that a sandbox frame is started with. */
export interface JudgeAssets {
  readonly wasm: Uint8Array<ArrayBuffer>;
  readonly library: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly prepare: string;
  readonly coordinatorScript: string;
  readonly interpreterScript: string;
}

const FILES = [
  ['interpreter.bin', interpreterUrl],
  ['library.bin', libraryUrl],
  ['image.bin', imageUrl],
  ['prepare.txt', prepareUrl],
  ['coordinator.txt', coordinatorUrl],
  ['interpreter.txt', interpreterScriptUrl],
] as const;

/**
 * Fetches the oracle's files from the app itself and checks each against the build's SHA-256.
 *
 * @param onFetch called with the packed bytes that arrived so far, and the unpacked bytes in all
 * @throws AppError `judge-asset` when a file is missing or is not the one that was built
 */
export async function fetchJudgeAssets(
  onFetch?: (loadedBytes: number, totalBytes: number) => void,
): Promise<JudgeAssets> {
  const totalBytes = FILES.reduce((sum, [name]) => sum + (judgeManifest.assets[name]?.bytes ?? 0), 0);
  let loadedBytes = 0;
  const files = await Promise.all(
    FILES.map(([name, url]) =>
      fetchFile(name, new URL(url, document.baseURI), (bytes) =>
        onFetch?.((loadedBytes += bytes), totalBytes),
      ),
    ),
  );
  onFetch?.(totalBytes, totalBytes);
  const [wasm, library, image, ...texts] = files as [
    JudgeAssets['wasm'],
    JudgeAssets['library'],
    JudgeAssets['image'],
  ];
  const [prepare, coordinatorScript, interpreterScript] = (texts as Uint8Array[]).map((bytes) =>
    new TextDecoder().decode(bytes),
  ) as [string, string, string];
  return { wasm, library, image, prepare, coordinatorScript, interpreterScript };
}

async function fetchFile(
  name: string,
  url: URL,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) {
    throw new AppError(
      'judge',
      'judge-asset',
      `The oracle's file ${name} could not be loaded: ${url.href} answered ${response.status}.`,
    );
  }
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onBytes(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  let bytes = new Uint8Array(await new Response(counted).arrayBuffer());
  // Some hosts unpack by themselves what looks packed: the bytes tell, not the name.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  }
  const expected = judgeManifest.assets[name]?.sha256;
  const found = await digestOf(bytes);
  if (found !== expected) {
    throw new AppError(
      'judge',
      'judge-asset',
      `The oracle's file ${name} is not the one that was built: its SHA-256 is ${found}, not ${expected}. Reload the page; if that does not help, build it again.`,
    );
  }
  return bytes;
}
