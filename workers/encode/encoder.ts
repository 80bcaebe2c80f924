import { AppError } from '../../src/domain/app-error.ts';
import { abortedError } from '../../src/contracts/calls.ts';
import type { Pooling } from '../../src/models/model-definition.ts';
import { fillBatch, planBatches, type Batch, type BatchFits } from './batching.ts';
import type { EncodingModel } from './encoding-model.ts';
import { tokeniseAndCut, type TokenisedText } from './tokens.ts';

/** Everything that decides a vector besides model and text. */
export interface EncodeSettings {
  /** Put in front of each text, before tokenising, as sentence-transformers does. */
  readonly prompt: string;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  readonly padding: 'right' | 'left';
  readonly layerNorm: boolean;
  readonly normalised: boolean;
  /** Dimensions that the graph is declared to give. */
  readonly graphDimensions: number;
  readonly dimensions: number;
  /** Rows × length computed at once. */
  readonly batchTokens: number;
  readonly fits?: BatchFits;
}

/** Vectors of texts, in the order of the texts, with what it took. */
export interface EncodedRows {
  /** Row-major, texts × dimensions. */
  readonly values: Float32Array;
  readonly tokenCounts: Uint32Array;
  readonly truncatedRows: readonly number[];
  readonly emptyTexts: number;
  readonly tokens: number;
  /** Tokens and padding. */
  readonly computedTokens: number;
  readonly batches: number;
}

/** How encoding is watched and ended. */
export interface EncodeOptions {
  readonly signal?: AbortSignal;
  /** Keep NaN and infinity instead of failing: the numerics check wants to name them itself. */
  readonly keepNonFinite?: boolean;
  /** Called once, when the lanes have their first batches. */
  readonly whileComputing?: () => void;
  /** Called after each batch with the number of texts done so far. */
  readonly onBatch?: (doneTexts: number) => void;
}

/** Returns the texts' tokens, prompt included, cut at the limit. */
export function tokeniseTexts(
  model: EncodingModel,
  texts: readonly string[],
  settings: EncodeSettings,
): TokenisedText[] {
  return texts.map((text) => tokeniseAndCut(model.tokenizer, settings.prompt + text, settings.maxTokens));
}

/**
 * Returns one vector a text, in the order of the texts whatever the batching. Between batches messages are let in, so that
 * an abort takes effect there. A text without any token (a tokenizer without special tokens) has the zero vector.
 * Errors: `aborted`; `not-finite`: the model gave NaN or infinity, with the row; those of the runtime.
 */
export async function encodeTexts(
  model: EncodingModel,
  texts: readonly string[],
  settings: EncodeSettings,
  options: EncodeOptions = {},
): Promise<EncodedRows> {
  return encodeTokens(model, tokeniseTexts(model, texts, settings), texts, settings, options);
}

/** {@link encodeTexts} for texts that are tokenised already. */
export async function encodeTokens(
  model: EncodingModel,
  tokenised: readonly TokenisedText[],
  texts: readonly string[],
  settings: EncodeSettings,
  { signal, onBatch, whileComputing, keepNonFinite = false }: EncodeOptions = {},
): Promise<EncodedRows> {
  const { dimensions, padding } = settings;
  // What the lanes need crosses threads; the rule for batches is a function and stays here.
  const { fits, ...recipe } = settings;
  const tokenCounts = Uint32Array.from(tokenised, ({ ids }) => ids.length);
  const values = new Float32Array(texts.length * dimensions);
  const batches = planBatches(tokenCounts, settings.batchTokens, fits);
  let doneTexts = texts.length - batches.reduce((sum, { indices }) => sum + indices.length, 0);
  let computedTokens = 0;
  const encodeBatch = async (batch: Batch): Promise<void> => {
    const filled = fillBatch(batch, (i) => tokenised[i]?.ids ?? [], padding, model.tokenizer.padId);
    const { rows, length } = filled;
    const vectors = await model.vectorsOf(filled, recipe);
    batch.indices.forEach((index, row) => {
      const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
      if (!keepNonFinite && !vector.every(Number.isFinite)) throw notFinite(index, texts[index] ?? '');
      values.set(vector, index * dimensions);
    });
    computedTokens += rows * length;
    doneTexts += rows;
    onBatch?.(doneTexts);
    await letMessagesIn();
  };
  // Each of these takes the next batch that nobody has taken; the first failure stops them all.
  const waiting = batches.values();
  let failed = false;
  const takeBatches = async (): Promise<void> => {
    for (const batch of waiting) {
      if (failed) return;
      if (signal?.aborted) throw abortedError();
      await encodeBatch(batch);
    }
  };
  const takers = Array.from({ length: model.batchesAtOnce }, () =>
    takeBatches().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  // While these wait for the lanes, this thread has time.
  whileComputing?.();
  await Promise.all(takers);
  return {
    values,
    tokenCounts,
    truncatedRows: tokenised.flatMap(({ truncated }, row) => (truncated ? [row] : [])),
    emptyTexts: texts.filter((text) => text.trim() === '').length,
    tokens: tokenCounts.reduce((sum, count) => sum + count, 0),
    computedTokens,
    batches: batches.length,
  };
}

function notFinite(row: number, text: string): AppError {
  const start = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return new AppError(
    'encode',
    'not-finite',
    `the vector of text ${row} (${start}) holds NaN or infinity: the model overflowed on this device. Choose another dtype or device.`,
  );
}

/** Resolves in a later turn of the event loop, after messages that wait; a timer would cost 4 ms a batch. */
function letMessagesIn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Padding as a share of everything computed. */
export function paddingShare(tokens: number, computedTokens: number): number {
  return computedTokens === 0 ? 0 : 1 - tokens / computedTokens;
}
