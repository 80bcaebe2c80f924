import { AppError } from '../../src/domain/app-error.ts';
import type { TokenBatch } from './batching.ts';
import {
  loadGraph,
  prepareRuntime,
  type GraphOptions,
  type LoadedGraph,
  type RuntimeFiles,
} from './graph.ts';
import { finishVectors, poolTokens, type VectorRecipe } from './pooling.ts';

/** What a lane needs to load. */
export interface LaneRequest extends GraphOptions {
  /** Absent where the runtime was prepared already (tests in Node). */
  readonly runtime?: RuntimeFiles;
}

/** One thread that holds a graph and turns batches of tokens into vectors; the encode worker feeds it. */
export interface LaneContract {
  /** Errors as {@link loadGraph}. */
  load(request: LaneRequest): Promise<void>;
  /** Returns rows × recipe.dimensions values. */
  vectorsOf(batch: TokenBatch, recipe: VectorRecipe): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** A lane's logic. */
export class Lane implements LaneContract {
  #graph: LoadedGraph | undefined;

  async load({ runtime, ...graph }: LaneRequest): Promise<void> {
    if (this.#graph) throw new AppError('encode', 'already-open', 'this lane holds a model already');
    if (runtime) prepareRuntime(runtime);
    this.#graph = await loadGraph(graph);
  }

  async vectorsOf(batch: TokenBatch, recipe: VectorRecipe): Promise<Float32Array> {
    if (!this.#graph) throw new AppError('encode', 'not-open', 'no model is open in this lane');
    const { pooling } = recipe;
    if (pooling === 'sentence_embedding')
      return finishVectors((await this.#graph.run(batch, 'sentence')).values, batch.rows, recipe);
    const { values } = await this.#graph.run(batch, 'tokens');
    return finishVectors(
      poolTokens(values, batch.mask, batch.rows, batch.length, pooling),
      batch.rows,
      recipe,
    );
  }

  async dispose(): Promise<void> {
    await this.#graph?.dispose();
    this.#graph = undefined;
  }
}
