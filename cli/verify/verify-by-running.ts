import { existsSync } from 'node:fs';
import path from 'node:path';
import { readRun } from '../../src/codecs/run-reader.ts';
import type { Similarity } from '../../src/contracts/search.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { findModel } from '../../src/models/index.ts';
import type { CheckedClaim, VerificationLevel } from '../../src/share/claims.ts';
import type { ResultRecord } from '../../src/share/record.ts';
import { readBenchmarkTexts } from '../../src/verify/benchmark-texts.ts';
import { similarityTolerance, modelFilesClaim, verifyEncoding } from '../../src/verify/verify-encode.ts';
import { verifySearch } from '../../src/verify/verify-search.ts';
import { verifyVerdicts } from '../../src/verify/verify-verdicts.ts';
import { localFile } from '../local-file.ts';
import { pageVerifyServices, readVectors } from './page-services.ts';

/** Where things lie, and how much is looked at. */
export interface RunningOptions {
  /** Queries, pairs and verdicts to look at; Infinity: all. */
  readonly sample: number;
  readonly seed: number;
  readonly dataFolder: string | undefined;
  readonly vectorsFolder: string | undefined;
  readonly runFile: string | undefined;
  readonly signal: AbortSignal;
}

/** Levels 2 to 4 of a record, up to the wanted one; what is missing for a level leaves its claim as only claimed. */
export async function verifyByRunning(
  record: ResultRecord,
  level: number,
  options: RunningOptions,
): Promise<CheckedClaim[]> {
  const services = pageVerifyServices(record, options.signal);
  const claims = [await levelTwo(record, services, options)];
  if (level < 3) return claims;
  if (options.dataFolder === undefined)
    return [
      ...claims,
      missing(
        3,
        'similarities of texts encoded again',
        `the files of ${record.benchmark.id} are not here: give their folder with --benchmark`,
      ),
    ];
  const texts = await readBenchmarkTexts(
    await localFile(path.join(options.dataFolder, 'corpus.jsonl')),
    await localFile(path.join(options.dataFolder, 'queries.jsonl')),
  );
  if (Number.isFinite(options.sample) || options.runFile === undefined)
    claims.push(
      ...(await verifyEncoding(services, record, texts, { ...options, similarity: similarityOf(record) })),
    );
  else claims.push(...(await everythingAgain(record, services, texts, options, options.runFile)));
  if (level >= 4) claims.push(await verifyVerdicts(services, record, texts, options));
  return claims;
}

async function levelTwo(
  record: ResultRecord,
  services: ReturnType<typeof pageVerifyServices>,
  { vectorsFolder, runFile, sample, seed }: RunningOptions,
): Promise<CheckedClaim> {
  const name = 'rankings from the vectors';
  if (vectorsFolder === undefined) return missing(2, name, 'give the vectors with --vectors');
  if (runFile === undefined) return missing(2, name, 'there is no run file: give it with --run');
  const [documents, queries] = ['documents.npy', 'queries.npy'].map((file) => {
    const place = path.join(vectorsFolder, file);
    if (!existsSync(place)) throw new AppError('input', 'file-missing', `There is no file ${place}.`);
    return readVectors(place);
  }) as [ReturnType<typeof readVectors>, ReturnType<typeof readVectors>];
  const { run } = await readRun(await localFile(runFile));
  return verifySearch(services, {
    run,
    documents,
    queries,
    similarity: similarityOf(record),
    depth: record.depth,
    sample,
    seed,
    tolerance: 0,
    level: 2,
  });
}

/** Level 3 as a whole: every text encoded again and every query searched again. */
async function everythingAgain(
  record: ResultRecord,
  services: ReturnType<typeof pageVerifyServices>,
  texts: Awaited<ReturnType<typeof readBenchmarkTexts>>,
  { sample, seed }: RunningOptions,
  runFile: string,
): Promise<CheckedClaim[]> {
  const { run } = await readRun(await localFile(runFile));
  const evaluated = new Set(record.report.perQuery.map(({ queryId }) => queryId));
  // The pool of a cut benchmark is what its rankings name; they are as deep as the pool or as the depth allows.
  const ranked = new Set([...run.values()].flatMap(({ documentIds }) => documentIds));
  const cut = record.benchmark.cutFrom !== undefined;
  const documents = await services.encode(
    [...texts.documents].filter(([id]) => !cut || ranked.has(id)).map(([id, text]) => ({ id, text })),
    'document',
  );
  const queries = await services.encode(
    [...texts.queries].filter(([id]) => evaluated.has(id)).map(([id, { text }]) => ({ id, text })),
    'query',
  );
  const tolerance = similarityTolerance(record, documents.probeError);
  return [
    modelFilesClaim(record, documents),
    await verifySearch(services, {
      run,
      documents,
      queries,
      similarity: similarityOf(record),
      depth: record.depth,
      sample,
      seed,
      tolerance,
      level: 3,
    }),
  ];
}

function similarityOf(record: ResultRecord): Similarity {
  const setting = record.protocol.settings['similarity'];
  return setting === 'cosine' || setting === 'dot' ? setting : findModel(record.model.id).similarity;
}

function missing(level: VerificationLevel, name: string, note: string): CheckedClaim {
  return { level, name, state: 'claimed', claimed: 'not checked', note };
}
