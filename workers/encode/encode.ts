import { transfer, wrap } from 'comlink';
import { AppError } from '../../src/domain/app-error.ts';
import type { CallOptions } from '../../src/contracts/calls.ts';
import type {
  AdapterReport,
  EncodeContract,
  EncodedSet,
  EncodedTexts,
  EncoderReport,
  EncodeSetRequest,
  EncodeTextsRequest,
  EncodingChoices,
  OpenEncoderRequest,
} from '../../src/contracts/encode.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { BlockStore } from '../../src/store/block-store.ts';
import { fitsBuffer } from './batching.ts';
import { checkNumerics, type NumericsReference } from './check-numerics.ts';
import { describeAdapter } from './device.ts';
import { encodeSet, type VectorIdentity } from './encode-set.ts';
import { encodeTexts, paddingShare, type EncodeSettings } from './encoder.ts';
import { chooseDtype, fetchModel } from './open-model.ts';
import { UNCHECKED } from './passport.ts';
import { LanePool, readSizes, type ModelSizes } from './encoding-model.ts';
import { fetchWasm } from './graph.ts';
import type { LaneContract, LaneRequest } from './lane.ts';
import { loadTokenizer } from './tokenizer.ts';
import { runtimeVersions } from './transformers-env.ts';

/**
 * Rows × length computed at once. WASM gains nothing from big batches, and small ones waste little padding; a graphics
 * card needs work; a software adapter must come back now and then to hear of an abort.
 */
const BATCH_TOKENS = { wasm: 512, webgpu: 8_192, software: 256 } as const;

interface OpenEncoder {
  readonly request: OpenEncoderRequest;
  readonly report: EncoderReport;
  readonly model: LanePool;
  readonly sizes: ModelSizes;
  readonly adapter: AdapterReport | undefined;
  readonly store: BlockStore;
}

/** The encode worker's logic; everything it needs of the platform comes through the request or the store. */
export class EncodeWorker implements EncodeContract {
  #open: OpenEncoder | undefined;

  async open(request: OpenEncoderRequest, options: CallOptions = {}): Promise<EncoderReport> {
    if (this.#open)
      throw new AppError('encode', 'already-open', 'this worker holds a model already: start another one');
    const { model: definition, device } = request;
    const started = performance.now();
    const adapter = device === 'webgpu' ? await requireAdapter() : undefined;
    const requestedDtype = request.dtype ?? definition.defaultDtype;
    const { dtype, notice } = chooseDtype(definition, requestedDtype, adapter);
    const store = await openStore(request.place);
    const [fetched, wasm] = await Promise.all([
      fetchModel(store, request, dtype, options),
      fetchWasm(request.assets.onnxWasmUrl),
    ]);
    const tokenizer = await loadTokenizer(definition.id, fetched.files, definition.appendEos ?? false);
    const sizes = readSizes(definition.id, fetched.files.get('config.json'));
    const { threadsPerLane, reason } = request.lanePlan;
    const model = new LanePool(tokenizer);
    const loading = request.lanes.map((port, index) =>
      loadLane(port, index === request.lanes.length - 1, {
        modelId: definition.id,
        files: fetched.files,
        weightsPath: fetched.weightsPath,
        dtype,
        device,
        runtime: { wasm, moduleUrl: request.assets.onnxModuleUrl, threads: threadsPerLane },
      }),
    );
    const lane = await Promise.any(loading).catch(async (failures: AggregateError) => {
      const error: unknown = failures.errors[0];
      if (error instanceof AppError && error.code === 'model-unusable') await fetched.dropWeights();
      throw error;
    });
    model.add(lane);
    const threads = threadsPerLane * request.lanes.length;
    const { passport, ...report } = {
      modelId: definition.id,
      revision: fetched.revision,
      fileDigests: fetched.digests,
      dtype,
      requestedDtype,
      device,
      ...(adapter && { adapter }),
      threads,
      lanes: request.lanes.length,
      threadsReason: reason,
      pooling: definition.pooling,
      normalised: definition.normalised,
      dimensions: definition.dimensions,
      maxTokens: Math.min(definition.maxTokens, sizes.positions ?? Infinity),
      batchTokens: request.batchTokens ?? BATCH_TOKENS[adapter?.software ? 'software' : device],
      dependsOnBatch: definition.dtypes[dtype]?.dependsOnBatch ?? false,
      runtime: runtimeVersions(),
      loadMs: performance.now() - started,
      downloadedBytes: fetched.downloadedBytes,
      notices: [...(notice ? [notice] : []), ...(threads === 1 && device === 'wasm' ? [reason] : [])],
      passport: UNCHECKED,
    } satisfies EncoderReport;
    const checkable = { request, model, adapter, store, sizes, report: { ...report, passport } };
    this.#open = checkable;
    const reference: NumericsReference = {
      weightsDigest: fetched.digests[fetched.weightsPath] ?? '',
      ...(fetched.probesText !== undefined && { probesText: fetched.probesText }),
    };
    const plain = settingsFor(checkable, { side: 'document', prompt: { text: '', rule: 'default' } });
    if (!request.skipPassport) {
      const slow = adapter?.software ? 'a software graphics adapter takes seconds a text' : undefined;
      const checked = await checkNumerics(model, plain, reference, slow, options);
      this.#open = { ...checkable, report: { ...report, passport: checked } };
    }
    // The others join as they get ready and have shown that they compute the same; one that cannot load (too little memory)
    // leaves the work to those there are: the result says how many lanes computed.
    for (const other of loading)
      other
        .then(async (ready) => {
          if (ready === lane) return;
          const alone = new LanePool(tokenizer);
          alone.add(ready);
          const { verdict } = await checkNumerics(alone, plain, reference, 'the first lane took all', {});
          if (verdict === 'right') model.add(ready);
        })
        .catch(() => undefined);
    return this.#open.report;
  }

  async encodeSet(request: EncodeSetRequest, options: CallOptions = {}): Promise<EncodedSet> {
    const open = this.#usable();
    const settings = settingsFor(open, request);
    const set = await encodeSet(
      open.store,
      open.model,
      settings,
      request,
      identityOf(open, settings),
      options,
    );
    return { ...set, lanes: open.model.lanes };
  }

  async encodeTexts(request: EncodeTextsRequest, options: CallOptions = {}): Promise<EncodedTexts> {
    const open = this.#usable();
    const settings = settingsFor(open, request);
    const { texts } = request;
    const started = performance.now();
    const rows = await encodeTexts(open.model, texts, settings, {
      ...(options.signal && { signal: options.signal }),
      onBatch: (done) => options.onProgress?.({ step: 'encode', done, total: texts.length, unit: 'texts' }),
    });
    return {
      values: rows.values,
      rows: texts.length,
      dimensions: settings.dimensions,
      truncatedRows: rows.truncatedRows,
      tokenCounts: rows.tokenCounts,
      paddingShare: paddingShare(rows.tokens, rows.computedTokens),
      batches: rows.batches,
      ms: performance.now() - started,
    };
  }

  async close(): Promise<void> {
    await this.#open?.model.dispose();
    this.#open = undefined;
  }

  #usable(): OpenEncoder {
    if (!this.#open) throw new AppError('encode', 'not-open', 'no model is open in this worker');
    const { passport, device, modelId } = this.#open.report;
    if (passport.verdict === 'refused')
      throw new AppError(
        'encode',
        'device-refused',
        `${modelId} on ${device} gives wrong vectors: ${passport.faults.map(({ message }) => message).join('; ')}. Choose another device or dtype.`,
      );
    return this.#open;
  }
}

/** Loads one lane. The last one gets the weights themselves, the others copies: a big model has one lane. */
async function loadLane(port: MessagePort, last: boolean, request: LaneRequest): Promise<LaneContract> {
  const lane = wrap<LaneContract>(port);
  const buffers = last ? [...request.files.values()].map(({ buffer }) => buffer as ArrayBuffer) : [];
  await lane.load(transfer(request, [...new Set(buffers)]));
  return {
    load: (again) => lane.load(again),
    vectorsOf: (batch, recipe) =>
      lane.vectorsOf(transfer(batch, [batch.ids.buffer, batch.mask.buffer] as ArrayBuffer[]), recipe),
    dispose: () => lane.dispose(),
  };
}

async function requireAdapter(): Promise<AdapterReport> {
  const adapter = await describeAdapter();
  if (typeof adapter === 'string') throw new AppError('encode', 'no-webgpu', adapter);
  return adapter;
}

function settingsFor(
  { request, report, sizes, adapter }: OpenEncoder,
  choices: EncodingChoices,
): EncodeSettings {
  const { model: definition } = request;
  const pooling = choices.pooling ?? definition.pooling;
  const dimensions = choices.dimensions ?? definition.dimensions;
  if (!(dimensions > 0 && dimensions <= definition.dimensions))
    throw new AppError(
      'encode',
      'wrong-dimensions',
      `${dimensions} dimensions were asked for; ${definition.id} has ${definition.dimensions}`,
    );
  return {
    prompt: choices.prompt.text,
    maxTokens: Math.min(choices.maxTokens ?? Infinity, report.maxTokens),
    pooling,
    padding: definition.padding,
    layerNorm: definition.layerNorm ?? false,
    normalised: definition.normalised,
    graphDimensions: definition.dimensions,
    dimensions,
    batchTokens: report.batchTokens,
    ...(adapter && {
      fits: fitsBuffer(sizes, Math.min(adapter.maxBufferBytes, adapter.maxStorageBufferBindingBytes)),
    }),
  };
}

function identityOf({ report }: OpenEncoder, settings: EncodeSettings): VectorIdentity {
  return {
    model: report.modelId,
    modelDigest: report.revision,
    dtype: report.dtype,
    device: report.device,
    encoding: {
      prompt: settings.prompt,
      pooling: settings.pooling,
      padding: settings.padding,
      maxTokens: settings.maxTokens,
      layerNorm: settings.layerNorm,
      normalised: settings.normalised,
      // Batching is part of the vectors only where they depend on batch mates.
      batching: report.dependsOnBatch ? `${settings.batchTokens} tokens` : null,
    },
  };
}
