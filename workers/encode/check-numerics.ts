import type { CallOptions } from '../../src/contracts/calls.ts';
import type { NumericsPassport } from '../../src/contracts/encode.ts';
import { encodeTexts, type EncodeSettings } from './encoder.ts';
import type { EncodingModel } from './encoding-model.ts';
import type { VectorRows } from './error-estimate.ts';
import { checkAgainstItself, checkAgainstReferences } from './passport.ts';
import { fewProbes, parseProbes } from './probes.ts';
import { SELF_CHECK_TEXTS } from './self-check-texts.ts';

/** What vectors are compared with. */
export interface NumericsReference {
  /** Content of the model's probes.json; absent: the model is compared with itself. */
  readonly probesText?: string;
  /** SHA-256 of the weight file in use. */
  readonly weightsDigest: string;
}

const FEW_OWN_TEXTS = 6;

/**
 * Encodes the probes, or our own texts in several ways, and returns what came out. `fewBecause` says why a few short texts
 * must do. Prompts play no part: `settings.prompt` should be empty.
 */
export async function checkNumerics(
  model: EncodingModel,
  settings: EncodeSettings,
  { probesText, weightsDigest }: NumericsReference,
  fewBecause: string | undefined,
  { signal, onProgress }: CallOptions,
): Promise<NumericsPassport> {
  const encode = async (
    texts: readonly string[],
    batchTokens = settings.batchTokens,
  ): Promise<VectorRows> => {
    const { values } = await encodeTexts(
      model,
      texts,
      { ...settings, batchTokens },
      {
        ...(signal && { signal }),
        keepNonFinite: true,
        onBatch: (done) => onProgress?.({ step: 'check', done, total: texts.length, unit: 'texts' }),
      },
    );
    return { values, rows: texts.length, dimensions: settings.dimensions };
  };
  const probes = probesText === undefined ? undefined : parseProbes(probesText, weightsDigest);
  if (probes?.file) {
    const { texts } = fewBecause === undefined ? probes : fewProbes(probes);
    return checkAgainstReferences(await encode(texts), probes, fewBecause);
  }
  const texts = fewBecause === undefined ? SELF_CHECK_TEXTS : SELF_CHECK_TEXTS.slice(0, FEW_OWN_TEXTS);
  const together = await encode(texts);
  // One text a batch, and once more as before.
  const others = [await encode(texts, 1)];
  if (fewBecause === undefined) others.push(await encode(texts));
  return checkAgainstItself(together, others, settings.normalised, fewBecause);
}
