import { describe, expect, it } from 'vitest';
import { abortedError } from '../../src/contracts/calls.ts';
import { AppError } from '../../src/domain/app-error.ts';
import { isRecoverable, recovering } from '../../src/clients/encode-recovery.ts';

const lost = new AppError('encode', 'device-lost', 'the device was lost');

/** Work over 100 texts that fails whenever the batch is too big, after it stored some. */
function workOver(limitTokens: number, startTokens: number, storedPerAttempt = 10) {
  const state = { batch: startTokens, done: 0, starts: 0, batches: [] as number[] };
  const recovery = {
    ready: async () => {
      state.starts++;
    },
    work: async ({
      onProgress,
    }: {
      onProgress?: (p: { step: string; done: number; unit: string }) => void;
    }) => {
      state.batches.push(state.batch);
      state.done = Math.min(100, state.done + storedPerAttempt);
      onProgress?.({ step: 'encode', done: state.done, unit: 'texts' });
      if (state.batch > limitTokens) throw new AppError('encode', 'out-of-memory', 'memory ran out');
      return 'all';
    },
    halve: () => {
      state.batch = Math.floor(state.batch / 2);
      return state.batch >= 1;
    },
  };
  return { state, recovery };
}

describe('recovering', () => {
  it('halves the batch on a fresh worker until it fits', async () => {
    const { state, recovery } = workOver(1_000, 8_192);
    expect(await recovering({}, recovery)).toEqual({ result: 'all', recoveries: 4 });
    expect(state.batches).toEqual([8_192, 4_096, 2_048, 1_024, 512]);
    expect(state.starts).toBe(5);
  });

  it('gives up when nothing is gained any more, with the last failure', async () => {
    const { state, recovery } = workOver(0, 2 ** 20, 0);
    await expect(recovering({}, recovery)).rejects.toMatchObject({ code: 'out-of-memory' });
    expect(state.batches).toHaveLength(7);
    const smallest = workOver(0, 2, 0);
    await expect(recovering({}, smallest.recovery)).rejects.toMatchObject({ code: 'out-of-memory' });
    expect(smallest.state.batches).toEqual([2, 1]);
  });

  it('goes on for as long as each attempt brings something', async () => {
    let attempts = 0;
    const result = await recovering(
      {},
      {
        ready: async () => undefined,
        work: async ({ onProgress }) => {
          attempts++;
          onProgress?.({ step: 'encode', done: attempts, unit: 'texts' });
          if (attempts < 20) throw lost;
          return attempts;
        },
        halve: () => true,
      },
    );
    expect(result).toEqual({ result: 20, recoveries: 19 });
  });

  it('lets aborts and other errors through at once', async () => {
    for (const error of [
      abortedError(),
      new AppError('model', 'model-file-missing', 'no'),
      new TypeError('bug'),
    ]) {
      let attempts = 0;
      const failing = recovering(
        {},
        {
          ready: async () => undefined,
          work: async () => {
            attempts++;
            throw error;
          },
          halve: () => true,
        },
      );
      await expect(failing).rejects.toBe(error);
      expect(attempts).toBe(1);
      expect(isRecoverable(error)).toBe(false);
    }
    expect(isRecoverable(lost)).toBe(true);
  });
});
