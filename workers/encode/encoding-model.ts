import { AppError, messageOf } from '../../src/domain/app-error.ts';
import type { ModelShape, TokenBatch } from './batching.ts';
import type { LaneContract } from './lane.ts';
import type { VectorRecipe } from './pooling.ts';
import type { TextTokenizer } from './tokens.ts';

/** What encoding needs of a model: a tokenizer here, and threads elsewhere that turn batches into vectors. */
export interface EncodingModel {
  readonly tokenizer: TextTokenizer;
  /** Batches worth handing out at once: two a lane, so that none waits for the next one. */
  readonly batchesAtOnce: number;
  vectorsOf(batch: TokenBatch, recipe: VectorRecipe): Promise<Float32Array>;
  dispose(): Promise<void>;
}

const BATCHES_A_LANE = 2;

/** Lanes that share the batches of one model. More may join while others work; a batch goes to the one with least to do. */
export class LanePool implements EncodingModel {
  readonly tokenizer: TextTokenizer;
  readonly #lanes: { readonly lane: LaneContract; outstanding: number }[] = [];

  constructor(tokenizer: TextTokenizer) {
    this.tokenizer = tokenizer;
  }

  /** Adds a lane that is loaded and checked. */
  add(lane: LaneContract): void {
    this.#lanes.push({ lane, outstanding: 0 });
  }

  /** Lanes that compute. */
  get lanes(): number {
    return this.#lanes.length;
  }

  get batchesAtOnce(): number {
    return BATCHES_A_LANE * this.#lanes.length;
  }

  async vectorsOf(batch: TokenBatch, recipe: VectorRecipe): Promise<Float32Array> {
    const [first, ...others] = this.#lanes;
    if (!first) throw new AppError('encode', 'not-open', 'no lane is loaded');
    const chosen = others.reduce((best, lane) => (lane.outstanding < best.outstanding ? lane : best), first);
    chosen.outstanding++;
    try {
      return await chosen.lane.vectorsOf(batch, recipe);
    } finally {
      chosen.outstanding--;
    }
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#lanes.map(({ lane }) => lane.dispose()));
    this.#lanes.length = 0;
  }
}

/** What a model's config.json says of sizes. */
export interface ModelSizes extends ModelShape {
  /** Positions that the model has; absent where the config does not say. */
  readonly positions?: number;
}

/** Returns the sizes that config.json declares, in whichever names its family uses. Errors: `model-unusable`. */
export function readSizes(modelId: string, configJson: Uint8Array | undefined): ModelSizes {
  let config: Readonly<Record<string, unknown>>;
  try {
    config = JSON.parse(new TextDecoder().decode(configJson)) as Record<string, unknown>;
  } catch (cause) {
    throw new AppError(
      'model',
      'model-unusable',
      `model ${modelId}: config.json is not JSON: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
  const numberOf = (names: readonly string[], otherwise: number): number => {
    for (const name of names) if (typeof config[name] === 'number') return config[name];
    return otherwise;
  };
  const hiddenSize = numberOf(['hidden_size', 'n_embd', 'dim'], 768);
  const positions = numberOf(['max_position_embeddings', 'n_positions'], 0);
  return {
    hiddenSize,
    intermediateSize: numberOf(['intermediate_size', 'n_inner', 'hidden_dim'], 4 * hiddenSize),
    attentionHeads: numberOf(['num_attention_heads', 'n_head', 'n_heads'], 12),
    ...(positions > 0 && { positions }),
  };
}
