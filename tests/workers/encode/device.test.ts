import { describe, expect, it } from 'vitest';
import type { AdapterReport, DeviceTrial } from '../../../src/contracts/encode.ts';
import { ALL_MINILM_L6_V2 } from '../../../src/models/minilm.ts';
import type { ModelDefinition } from '../../../src/models/model-definition.ts';
import { chooseDevice, trialWithoutTrying } from '../../../workers/encode/choose-device.ts';
import { describeAdapter, planLanes } from '../../../workers/encode/device.ts';
import { chooseDtype } from '../../../workers/encode/open-model.ts';
import { prepareNode } from './node-model.ts';

/** A stand-in for navigator.gpu with one adapter. */
function gpuWith(features: readonly string[], info: Partial<GPUAdapterInfo> = {}): GPU {
  const adapter = {
    features: new Set(features),
    info: { vendor: 'v', architecture: 'a', device: '', description: '', isFallbackAdapter: false, ...info },
    limits: { maxBufferSize: 1024, maxStorageBufferBindingSize: 512 },
  };
  return { requestAdapter: async () => adapter } as unknown as GPU;
}

async function adapterWith(
  features: readonly string[],
  info: Partial<GPUAdapterInfo> = {},
): Promise<AdapterReport> {
  const report = await describeAdapter(gpuWith(features, info));
  if (typeof report === 'string') throw new Error(report);
  return report;
}

describe('the adapter', () => {
  it('is described, software ones recognised by name or flag', async () => {
    expect(await adapterWith(['shader-f16'])).toMatchObject({
      shaderF16: true,
      software: false,
      maxBufferBytes: 1024,
      maxStorageBufferBindingBytes: 512,
    });
    expect((await adapterWith([], { architecture: 'swiftshader' })).software).toBe(true);
    expect((await adapterWith([], { isFallbackAdapter: true })).software).toBe(true);
  });

  it('that is missing is a sentence', async () => {
    expect(await describeAdapter(undefined)).toBe('This browser has no WebGPU.');
    const none = { requestAdapter: async () => null } as unknown as GPU;
    expect(await describeAdapter(none)).toMatch(/found no adapter/);
  });

  it('without shader-f16 gets fp32 instead of half precision, said so, or a refusal', async () => {
    const model: ModelDefinition = { ...ALL_MINILM_L6_V2, dtypes: { fp32: {}, fp16: {}, q4f16: {}, q8: {} } };
    const without = await adapterWith([]);
    expect(chooseDtype(model, 'fp16', without)).toMatchObject({
      dtype: 'fp32',
      notice: expect.stringContaining('fp32 is used instead of fp16') as string,
    });
    expect(chooseDtype(model, 'q4f16', without).dtype).toBe('fp32');
    expect(chooseDtype(model, 'q8', without)).toEqual({ dtype: 'q8' });
    expect(chooseDtype(model, 'fp16', await adapterWith(['shader-f16']))).toEqual({ dtype: 'fp16' });
    expect(() => chooseDtype({ ...model, dtypes: { fp16: {} } }, 'fp16', without)).toThrow(/no fp32 to use/);
    expect(() => chooseDtype(ALL_MINILM_L6_V2, 'fp16', undefined)).toThrow(/has no fp16; it has q8/);
  });
});

describe('lanes', () => {
  const plan = (isolated: boolean, cores: number, megabytes = 120, memoryGb = 8, wanted?: number) => {
    const { lanes, threadsPerLane } = planLanes({ isolated, cores, memoryGb }, megabytes, wanted);
    return [lanes, threadsPerLane];
  };

  it('follow the cores for a small model, with or without isolation', () => {
    const cores = [1, 2, 4, 6, 8];
    expect(cores.map((count) => plan(true, count))).toEqual([
      [1, 1],
      [2, 1],
      [4, 1],
      [4, 1],
      [4, 1],
    ]);
    expect(cores.map((count) => plan(false, count))).toEqual([
      [1, 1],
      [2, 1],
      [4, 1],
      [4, 1],
      [4, 1],
    ]);
    expect(plan(true, 16)).toEqual([4, 2]);
    expect(plan(true, 8, 120, 8, 1)).toEqual([1, 1]);
    expect(plan(true, 64, 120, 8, 100)).toEqual([4, 2]);
  });

  it('become threads of one lane for a model that memory holds only once', () => {
    expect(plan(true, 4, 900)).toEqual([1, 4]);
    expect(plan(true, 4, 400)).toEqual([2, 2]);
    expect(plan(true, 4, 120, 2)).toEqual([3, 1]);
    expect(plan(true, 4, 120, 0.5)).toEqual([1, 4]);
  });

  it('say in words what was done and what isolation would change', () => {
    expect(planLanes({ isolated: true, cores: 2, memoryGb: 8 }, 120).reason).toBe(
      '2 workers with one thread each on 2 cores.',
    );
    const alone = planLanes({ isolated: false, cores: 4, memoryGb: 8 }, 900);
    expect(alone).toMatchObject({ lanes: 1, threadsPerLane: 1 });
    expect(alone.reason).toMatch(
      /^One worker with one thread on 4 cores: no more, .*not cross-origin isolated/,
    );
  });
});

describe('choosing a device', () => {
  const trial = (device: 'wasm' | 'webgpu', change: Partial<DeviceTrial> = {}): DeviceTrial => ({
    device,
    outcome: 'timed',
    texts: 48,
    tokens: 1_000,
    ms: 500,
    loadMs: 900,
    ...change,
  });

  it('takes the faster one and says by how much', () => {
    const choice = chooseDevice([trial('webgpu', { ms: 100 }), trial('wasm')]);
    expect(choice.taken).toBe('webgpu');
    expect(choice.reason).toBe(
      'WebGPU, the faster right one: WebGPU 10000, WASM 2000 tokens a second on 48 texts.',
    );
    expect(chooseDevice([trial('webgpu', { ms: 900 }), trial('wasm')]).taken).toBe('wasm');
  });

  it('never takes one that failed, was refused or given up, however fast', () => {
    for (const outcome of ['failed', 'refused', 'gave-up'] as const) {
      const choice = chooseDevice([
        trial('webgpu', { outcome, ms: 1, message: 'It was wrong.' }),
        trial('wasm'),
      ]);
      expect(choice).toMatchObject({ taken: 'wasm', reason: 'It was wrong.' });
      expect(choice.trials).toHaveLength(2);
    }
    expect(chooseDevice([trial('webgpu'), trial('wasm', { outcome: 'failed' })]).taken).toBe('webgpu');
  });

  it('does not try a software adapter or none, and says so', async () => {
    const software = trialWithoutTrying(await adapterWith([], { architecture: 'swiftshader' }));
    expect(software).toMatchObject({
      outcome: 'gave-up',
      message: expect.stringContaining('swiftshader') as string,
    });
    expect(trialWithoutTrying('This browser has no WebGPU.')).toMatchObject({ outcome: 'failed' });
    expect(trialWithoutTrying(await adapterWith([]))).toBeUndefined();
  });
});

describe('failures of the runtime', () => {
  it('are told apart by what can be done about them', async () => {
    await prepareNode();
    const { describeFailure } = await import('../../../workers/encode/graph.ts');
    const code = (message: string): string =>
      describeFailure(new Error(message), 'm', 'onnx/model.onnx').code;
    expect(code('GPUDevice was lost: reset')).toBe('device-lost');
    expect(code('The device is lost.')).toBe('device-lost');
    expect(code('std::bad_alloc')).toBe('out-of-memory');
    expect(code('failed to allocate a buffer of size 1234')).toBe('out-of-memory');
    expect(code('memory access out of bounds')).toBe('out-of-memory');
    expect(code("Can't create a session. ERROR_CODE: 7, protobuf parsing failed.")).toBe('model-unusable');
    expect(code('Could not find an implementation for GatherBlockQuantized(1)')).toBe('model-unusable');
    expect(code('unreachable')).toBe('runtime-failed');
    expect(code('67245832')).toBe('runtime-failed');
  });
});
