import { open, type FileHandle } from 'node:fs/promises';
import { MAX_BLOCK_BYTES } from '../../src/contracts/blocks.ts';
import type { SearchBlock } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import {
  decodeNpyValues,
  matrixShape,
  NPY_HEADER_BYTES,
  npyElementBytes,
  parseNpyHeader,
  readNpyMatrix,
  type Matrix,
  type NpyHeader,
} from '../../src/codecs/npy.ts';

/** An open .npy file of document vectors, read a block at a time. */
export class NpyDocuments {
  readonly rows: number;
  readonly dimensions: number;
  readonly #file: FileHandle;
  readonly #header: NpyHeader;
  readonly #name: string;
  /** Only for column-major files, which have no rows to read one after the other. */
  readonly #whole: Matrix | undefined;

  private constructor(file: FileHandle, header: NpyHeader, name: string, whole: Matrix | undefined) {
    const { rows, columns } = matrixShape(header, name);
    this.rows = rows;
    this.dimensions = columns;
    this.#file = file;
    this.#header = header;
    this.#name = name;
    this.#whole = whole;
  }

  /** Opens a file and checks that it is as long as its header says. */
  static async open(path: string): Promise<NpyDocuments> {
    const file = await openFile(path);
    try {
      const head = Buffer.alloc(NPY_HEADER_BYTES);
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      const header = parseNpyHeader(head.subarray(0, bytesRead), path);
      const { rows, columns } = matrixShape(header, path);
      const wanted = header.dataOffset + rows * columns * npyElementBytes(header.dtype);
      const { size } = await file.stat();
      if (size !== wanted) {
        throw new AppError(
          'codec',
          'npy-invalid',
          `${path} has ${size} bytes; ${rows} × ${columns} ${header.dtype} need ${wanted}.`,
        );
      }
      const whole = header.fortranOrder ? readNpyMatrix(await file.readFile(), path) : undefined;
      return new NpyDocuments(file, header, path, whole);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Yields the blocks with `index % of === part`, each at most 16 MiB of float32. */
  async *blocks(ids: readonly string[] | undefined, part = 0, of = 1): AsyncGenerator<SearchBlock> {
    const { rows, dimensions } = this;
    const most = Math.max(1, Math.floor(MAX_BLOCK_BYTES / (dimensions * 4)));
    // As many blocks as threads at least, so that small files are shared out too.
    const blockRows = Math.max(8, Math.min(most, Math.ceil(rows / of)));
    const rowBytes = dimensions * npyElementBytes(this.#header.dtype);
    for (let firstRow = part * blockRows; firstRow < rows; firstRow += of * blockRows) {
      const count = Math.min(blockRows, rows - firstRow);
      let values: Float32Array;
      if (this.#whole) {
        values = this.#whole.values.subarray(firstRow * dimensions, (firstRow + count) * dimensions);
      } else {
        const bytes = Buffer.alloc(count * rowBytes);
        await this.#file.read(bytes, 0, bytes.length, this.#header.dataOffset + firstRow * rowBytes);
        values = decodeNpyValues(bytes, this.#header, this.#name);
      }
      yield {
        firstRow,
        rows: count,
        dimensions,
        values,
        ids:
          ids?.slice(firstRow, firstRow + count) ??
          Array.from({ length: count }, (_, i) => String(firstRow + i)),
      };
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Opens a file for reading; a missing one is an AppError that names it. */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    throw new AppError('input', 'file-unreadable', `Cannot read ${path}: ${(cause as Error).message}`, {
      cause,
    });
  }
}
