import type { AdapterReport, Device, DeviceChoice, DeviceTrial } from '../../src/contracts/encode.ts';

/** Why WebGPU is not even tried, as a trial to be shown; undefined when it should be. */
export function trialWithoutTrying(adapter: AdapterReport | string): DeviceTrial | undefined {
  if (typeof adapter === 'string') return notTimed('failed', adapter);
  if (adapter.software)
    return notTimed(
      'gave-up',
      `The only graphics adapter is software (${adapter.description || adapter.architecture || 'no name'}): it computes on the processor, some forty times slower than WASM.`,
    );
  return undefined;
}

function notTimed(outcome: DeviceTrial['outcome'], message: string): DeviceTrial {
  return { device: 'webgpu', outcome, texts: 0, tokens: 0, ms: 0, loadMs: 0, message };
}

/**
 * Returns which device to take from what trials showed: the faster one per token among those that were timed, and the
 * sentence that says so. WASM when none was (it then fails in its own words).
 */
export function chooseDevice(trials: readonly DeviceTrial[]): DeviceChoice {
  const timed = trials
    .filter((trial) => trial.outcome === 'timed' && trial.tokens > 0)
    .sort((a, b) => a.ms / a.tokens - b.ms / b.tokens);
  const taken: Device = timed[0]?.device ?? 'wasm';
  const others = trials.filter((trial) => trial.device !== taken);
  const speeds = timed.map(
    (trial) => `${NAMES[trial.device]} ${Math.round((1000 * trial.tokens) / trial.ms)}`,
  );
  const why =
    timed.length > 1
      ? `${NAMES[taken]}, the faster right one: ${speeds.join(', ')} tokens a second on ${timed[0]?.texts ?? 0} texts.`
      : others.map((trial) => trial.message ?? `${NAMES[trial.device]}: ${trial.outcome}.`).join(' ');
  return { requested: 'auto', taken, reason: why || `${NAMES[taken]}, the only one tried.`, trials };
}

const NAMES: Readonly<Record<Device, string>> = { wasm: 'WASM', webgpu: 'WebGPU' };
