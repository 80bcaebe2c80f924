import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { AppError } from '../src/domain/app-error.ts';

/** A file on this machine as bytes in pieces; see the readers of src/codecs. */
export interface LocalFile {
  readonly name: string;
  stream(from: number, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Larger pieces read no faster, and a small file would cost several times its size. */
const PIECE_BYTES = 1 << 18;

/** Opens nothing yet, but throws AppError `file-missing` where there is no such file. */
export async function localFile(path: string): Promise<LocalFile> {
  await checkFile(path);
  return {
    name: path,
    stream: (from, signal) =>
      createReadStream(path, {
        start: from,
        highWaterMark: PIECE_BYTES,
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

/** The text of a small file. Throws AppError `file-missing`, `not-utf8`. */
export async function localText(path: string): Promise<string> {
  await checkFile(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    throw new AppError('input', 'not-utf8', `${path} is not UTF-8 text. Save the file as UTF-8.`, { cause });
  }
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError('input', 'file-missing', `There is no file ${path}, or it cannot be read.`, { cause });
  });
  if (!found.isFile()) throw new AppError('input', 'file-missing', `${path} is not a file.`);
}
