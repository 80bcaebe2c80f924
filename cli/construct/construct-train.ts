import path from 'node:path';
import {
  flagEmbeddingLines,
  makeTrainingData,
  rerankerLines,
  sentenceTransformersLines,
} from '../../src/construct/train/training-data.ts';
import { digestOf } from '../../src/domain/digest.ts';
import { checkOutputFolder, REPORT_FILE, writeInside } from './output-folder.ts';
import { readBenchmarkFolder } from './read-benchmark-folder.ts';

/** Options of `assay construct train`. */
export interface ConstructTrainOptions {
  readonly out: string;
  readonly test?: string;
  readonly part?: string;
  readonly hardNegatives: number;
  readonly depth: number;
  readonly seed: number;
}

/** Reads a benchmark and writes training data from it, disjoint from a test benchmark where one is named. */
export async function constructTrain(folder: string, options: ConstructTrainOptions): Promise<void> {
  const out = checkOutputFolder(options.out);
  const benchmark = await readBenchmarkFolder(folder, options.part);
  const test = options.test === undefined ? undefined : await readBenchmarkFolder(options.test, options.part);
  const { seed, hardNegatives, depth } = options;
  const data = makeTrainingData(benchmark, { seed, hardNegatives, depth }, test);
  const files = new Map([
    ['sentence-transformers.jsonl', [...sentenceTransformersLines(data.contrastive)].join('')],
    ['flag-embedding.jsonl', [...flagEmbeddingLines(data.contrastive)].join('')],
    ['reranker.jsonl', [...rerankerLines(data.reranker)].join('')],
  ]);
  const digests: Record<string, string> = {};
  for (const [name, content] of files) digests[name] = await digestOf(content);
  const report = {
    kind: 'construct train',
    benchmark: path.basename(path.resolve(folder)),
    test: options.test === undefined ? null : path.basename(path.resolve(options.test)),
    settings: { seed, hardNegatives, depth },
    positiveGrade: data.positiveGrade,
    examples: { contrastive: data.contrastive.length, reranker: data.reranker.length },
    leftOut: data.leftOut,
    files: digests,
  };
  writeInside(out, new Map([...files, [REPORT_FILE, `${JSON.stringify(report, null, 2)}\n`]]));
  console.log(
    `${data.contrastive.length} contrastive examples, ${data.reranker.length} for a reranker; ${data.leftOut.length} of ${benchmark.queries.length} queries left out${test === undefined ? ' (no --test to be disjoint from)' : ''}`,
  );
  console.error(`Written to ${out}.`);
}
