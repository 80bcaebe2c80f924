import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readNpyMatrix } from '../../src/codecs/npy.ts';
import { MAX_BLOCK_BYTES } from '../../src/contracts/blocks.ts';
import type { SuiteResult } from '../../src/contracts/judge.ts';
import type { SearchBlock } from '../../src/contracts/search.ts';
import type { VectorsDescription } from '../../src/run/headless/encode.ts';
import type { EncodeRequest, JudgeRequest } from '../../src/run/headless/requests.ts';
import type { ResultRecord } from '../../src/share/record.ts';
import type { NamedVectors, VerifyServices } from '../../src/verify/services.ts';
import { findModel } from '../../src/models/index.ts';
import type { Dtype } from '../../src/models/model-definition.ts';
import { searchBlocks } from '../../workers/search/search.ts';
import { runInPage } from '../browser/page-session.ts';
import { loadNodeKernel } from '../search/node-kernel.ts';

/** Searching in Node by the page's kernel, encoding and judging in the page, headless. Models and settings are the record's. */
export function pageVerifyServices(record: ResultRecord, signal: AbortSignal): VerifyServices {
  return {
    async search(documents, queries, { k, similarity }) {
      const request = { queries, similarity, k };
      const answer = await searchBlocks(await loadNodeKernel(), blocksOf(documents), request);
      return answer.rankings;
    },
    encode: (texts, side) =>
      inScratch(async (scratch) => {
        const file = path.join(scratch, 'texts.jsonl');
        writeFileSync(file, texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
        const request: EncodeRequest = {
          kind: 'encode',
          textsName: 'texts.jsonl',
          modelId: findModel(record.model.id).id,
          dtype: record.model.dtype as Dtype,
          device: record.device.backend,
          side,
          task: 'nl2code',
        };
        const answer = (await runInPage(request, {
          files: new Map([['texts.jsonl', file]]),
          outputFolder: scratch,
          signal,
        })) as Pick<VectorsDescription, 'encoder' | 'probeError'>;
        const { fileDigests } = answer.encoder;
        return {
          ...readVectors(path.join(scratch, 'vectors.npy')),
          fileDigests,
          probeError: answer.probeError,
        };
      }),
    judge: (suites) =>
      inScratch(async (scratch) => {
        const file = path.join(scratch, 'suites.jsonl');
        const lines = suites.map((suite) => {
          const { form: _form, ...line } = suite;
          return `${JSON.stringify(line)}\n`;
        });
        writeFileSync(file, lines.join(''));
        const request: JudgeRequest = { kind: 'judge', options: {} };
        const results: SuiteResult[] = [];
        await runInPage(request, {
          files: new Map([['suites.jsonl', file]]),
          signal,
          onProgress: (lot) => results.push(...(lot as readonly SuiteResult[])),
        });
        return results;
      }),
  };
}

/** Document vectors in blocks as the search reads them. */
function* blocksOf({ ids, dimensions, values }: NamedVectors): Generator<SearchBlock> {
  const most = Math.max(1, Math.floor(MAX_BLOCK_BYTES / (dimensions * 4)));
  for (let firstRow = 0; firstRow < ids.length; firstRow += most) {
    const rows = Math.min(most, ids.length - firstRow);
    yield {
      firstRow,
      rows,
      dimensions,
      ids: ids.slice(firstRow, firstRow + rows),
      values: values.slice(firstRow * dimensions, (firstRow + rows) * dimensions),
    };
  }
}

/** Reads a .npy matrix of `assay encode` with the ids in the .json beside it. */
export function readVectors(npyFile: string): NamedVectors {
  const { columns, values } = readNpyMatrix(readFileSync(npyFile), npyFile);
  const { ids } = JSON.parse(readFileSync(npyFile.replace(/\.npy$/u, '.json'), 'utf8')) as VectorsDescription;
  return { ids, dimensions: columns, values };
}

async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-verify-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
