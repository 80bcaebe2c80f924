import type { Encoder } from '../../clients/encode.ts';
import { readJsonLines } from '../../codecs/jsonl.ts';
import { npyHeaderBytes } from '../../codecs/npy.ts';
import { quoted, rowError } from '../../codecs/row.ts';
import type { DeviceChoice, EncoderReport } from '../../contracts/encode.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Side } from '../../domain/texts.ts';
import { findModel } from '../../models/index.ts';
import { choosePrompt, type ChosenPrompt } from '../../models/model-definition.ts';
import type { RunServices } from '../services.ts';
import type { Bridge } from './bridge.ts';
import type { EncodeRequest } from './requests.ts';

/** Texts that are handed to the encoder at once; sorted by length among themselves. */
const LOT = 2_048;

/** What `vectors.json` says of `vectors.npy`. */
export interface VectorsDescription {
  readonly ids: readonly string[];
  readonly rows: number;
  readonly dimensions: number;
  readonly side: Side;
  readonly prompt: ChosenPrompt;
  /** Ids of texts that were cut at the token limit. */
  readonly truncated: readonly string[];
  /** Largest change of a margin between two documents that the numerics check measured on this device. */
  readonly probeError: number | null;
  readonly encoder: EncoderReport;
  readonly device: DeviceChoice;
  readonly msPerPhase: { readonly open: number; readonly encode: number };
}

/** Encodes `texts.jsonl` (`{"id","text"}` a line) in file order. Returns the description without ids. */
export async function encode(
  request: EncodeRequest,
  bridge: Bridge,
  services: { openEncoder(...call: Parameters<RunServices['openEncoder']>): Promise<Encoder> },
): Promise<Omit<VectorsDescription, 'ids' | 'truncated'> & { readonly truncatedTexts: number }> {
  const { modelId, dtype, device, side, task, dimensions } = request;
  const model = findModel(modelId);
  const { ids, texts } = await readTexts(bridge, request.textsName);
  const prompt = choosePrompt(model, { side, ...(task && { task }) });
  const started = performance.now();
  const encoder = await services.openEncoder(
    { model, dtype, device },
    { onProgress: (step) => void bridge.progress(step) },
  );
  const opened = performance.now();
  const parts: Float32Array<ArrayBuffer>[] = [];
  const truncated: string[] = [];
  for (let start = 0; start < texts.length; start += LOT) {
    const encoded = await encoder.encodeTexts(
      {
        texts: texts.slice(start, start + LOT),
        side,
        prompt,
        ...(dimensions !== undefined && { dimensions }),
      },
      {
        onProgress: ({ done }) =>
          void bridge.progress({ step: 'encode', done: start + done, total: texts.length, unit: 'texts' }),
      },
    );
    parts.push(encoded.values as Float32Array<ArrayBuffer>);
    truncated.push(...encoded.truncatedRows.map((row) => ids[start + row] as string));
  }
  const { report, choice } = encoder;
  const description = {
    rows: texts.length,
    dimensions: dimensions ?? model.dimensions,
    side,
    prompt,
    probeError: report.passport.deviceError?.largestMarginChange ?? null,
    encoder: report,
    device: choice,
    msPerPhase: { open: opened - started, encode: performance.now() - opened },
  };
  await bridge.output(
    'vectors.npy',
    new Blob([npyHeaderBytes(texts.length, description.dimensions, 'float32'), ...parts]),
  );
  await bridge.output(
    'vectors.json',
    `${JSON.stringify({ ...description, truncated, ids } satisfies VectorsDescription, null, 1)}\n`,
  );
  return { ...description, truncatedTexts: truncated.length };
}

async function readTexts(bridge: Bridge, name: string): Promise<{ ids: string[]; texts: string[] }> {
  const stream = await bridge.file('texts.jsonl');
  const source = { name, stream: () => stream as unknown as AsyncIterable<Uint8Array> };
  const ids: string[] = [];
  const texts: string[] = [];
  const known = new Set<string>();
  for await (const rows of readJsonLines(source))
    for (const row of rows) {
      const { value, line } = row;
      const id = typeof value['id'] === 'number' ? (row.numberText('id') ?? '') : value['id'];
      const { text } = value as { text?: unknown };
      if (typeof id !== 'string' || id === '')
        throw rowError(name, line, 'bad-row', `"id" must be text or a number, found ${quoted(value['id'])}`);
      if (typeof text !== 'string')
        throw rowError(name, line, 'bad-row', `"text" must be text, found ${quoted(text)}`);
      if (known.has(id)) throw rowError(name, line, 'duplicate-id', `the id "${id}" occurs twice`);
      known.add(id);
      ids.push(id);
      texts.push(text);
    }
  if (ids.length === 0) throw new AppError('input', 'no-texts', `${name} holds no line`);
  return { ids, texts };
}
