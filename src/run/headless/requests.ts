import type { Device } from '../../contracts/encode.ts';
import type { JudgeOptions } from '../../contracts/judge.ts';
import type { Side } from '../../domain/texts.ts';
import type { Dtype, RetrievalTask } from '../../models/model-definition.ts';
import type { RunRequest } from '../run-state.ts';

/** Everything that the command line may ask the page to do: one kind, one file of the same name in this folder. */
export type HeadlessRequest = EvaluateRequest | EncodeRequest | JudgeRequest;

/** Runs an evaluation and writes record.json, run.trec, per-query.jsonl, metrics.json and link.txt. */
export interface EvaluateRequest {
  readonly kind: 'evaluate';
  readonly run: RunRequest;
  /** A folder in a known layout: names of its files, served under the same names. */
  readonly benchmarkFolder?: { readonly name: string; readonly files: readonly string[] };
  /** Address of the hub, where it is not the usual one. */
  readonly hubUrl?: string;
  /** The site that printed links name. */
  readonly site: string;
}

/** Encodes the texts in the file `texts.jsonl` and writes `vectors.npy` and `vectors.json`. */
export interface EncodeRequest {
  readonly kind: 'encode';
  /** What messages call the file. */
  readonly textsName: string;
  readonly modelId: string;
  readonly dtype: Dtype;
  readonly device: Device | 'auto';
  readonly side: Side;
  /** Chooses the model's prompt; absent: its default. */
  readonly task?: RetrievalTask;
  /** Shorter vectors by Matryoshka cut; absent: all dimensions. */
  readonly dimensions?: number;
}

/** Judges the suites in the file `suites.jsonl`; results arrive as progress, in order. */
export interface JudgeRequest {
  readonly kind: 'judge';
  readonly options: Pick<JudgeOptions, 'timeoutMs' | 'secondPass'>;
}
