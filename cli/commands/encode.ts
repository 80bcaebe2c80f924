import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { AppError } from '../../src/domain/app-error.ts';
import type { Side } from '../../src/domain/texts.ts';
import { findModel } from '../../src/models/index.ts';
import { DTYPE_SUFFIXES, type Dtype, type RetrievalTask } from '../../src/models/model-definition.ts';
import type { Progress } from '../../src/contracts/calls.ts';
import type { Device } from '../../src/contracts/encode.ts';
import type { VectorsDescription } from '../../src/run/headless/encode.ts';
import type { EncodeRequest } from '../../src/run/headless/requests.ts';
import { runInPage } from '../browser/page-session.ts';
import { interruptSignal } from '../interrupt.ts';
import { localFile } from '../local-file.ts';

interface EncodeCommandOptions {
  readonly model: string;
  readonly texts: string;
  readonly side: Side;
  readonly task?: RetrievalTask;
  readonly dtype?: Dtype;
  readonly device: Device | 'auto';
  readonly dimensions?: number;
  readonly out: string;
}

/** `assay encode`: texts to an .npy matrix, by the page's own encoder in headless Chromium. */
export function register(program: Command): void {
  program
    .command('encode')
    .description('encode texts to a float32 .npy matrix in file order, with a .json beside it that says how')
    .requiredOption('--model <ID>', 'an embedding model')
    .requiredOption('--texts <FILE>', 'JSON Lines, {"id","text"} a line')
    .addOption(
      new Option('--side <SIDE>', "which of the model's prompts")
        .choices(['query', 'document'])
        .makeOptionMandatory(),
    )
    .requiredOption('--out <FILE>', 'the .npy file; the .json lies beside it')
    .addOption(
      new Option('--task <TASK>', 'for models with a prompt a task').choices([
        'nl2code',
        'code2code',
        'code2nl',
        'text',
      ]),
    )
    .addOption(
      new Option('--dtype <NAME>', "weights to use; default: the model's own choice").choices(
        Object.keys(DTYPE_SUFFIXES),
      ),
    )
    .addOption(
      new Option('--device <NAME>', 'where the model runs')
        .choices(['auto', 'webgpu', 'wasm'])
        .default('auto'),
    )
    .option(
      '--dimensions <N>',
      'cut to the first N dimensions before the unit length (Matryoshka)',
      parseWhole,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  npm run assay -- encode --model all-MiniLM-L6-v2 --texts corpus.jsonl --side document --out D.npy',
    )
    .action(encode);
}

async function encode(options: EncodeCommandOptions): Promise<void> {
  if (!options.out.endsWith('.npy'))
    throw new AppError('input', 'bad-output', `--out is "${options.out}"; it must end in .npy.`);
  const model = findModel(options.model);
  const { name: texts } = await localFile(options.texts);
  const scratch = mkdtempSync(path.join(tmpdir(), 'assay-encode-'));
  const interrupt = interruptSignal();
  const request: EncodeRequest = {
    kind: 'encode',
    textsName: options.texts,
    modelId: model.id,
    dtype: options.dtype ?? model.defaultDtype,
    device: options.device,
    side: options.side,
    ...(options.task !== undefined && { task: options.task }),
    ...(options.dimensions !== undefined && { dimensions: options.dimensions }),
  };
  let step = '';
  try {
    const answer = (await runInPage(request, {
      files: new Map([['texts.jsonl', texts]]),
      outputFolder: scratch,
      signal: interrupt.signal,
      onProgress: (value) => {
        const progress = value as Progress;
        const counts =
          progress.total === undefined ? '' : ` ${progress.done} of ${progress.total} ${progress.unit}`;
        if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${progress.step}${counts}`);
        else if (progress.step !== step) console.error(progress.step);
        ({ step } = progress);
      },
    })) as Omit<VectorsDescription, 'ids' | 'truncated'> & { readonly truncatedTexts: number };
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    await copyFile(path.join(scratch, 'vectors.npy'), options.out);
    await copyFile(path.join(scratch, 'vectors.json'), options.out.replace(/\.npy$/, '.json'));
    const { rows, dimensions, encoder, device, truncatedTexts, probeError, msPerPhase } = answer;
    console.log(
      [
        `${rows} × ${dimensions} float32 written to ${options.out}`,
        `${encoder.modelId} ${encoder.dtype} on ${device.taken}: ${device.reason} ${encoder.threadsReason}`,
        `${truncatedTexts} texts cut at ${encoder.maxTokens} tokens; probe error ${probeError === null ? 'not measured' : probeError.toExponential(1)}`,
        `opened in ${(msPerPhase.open / 1000).toFixed(1)} s, encoded in ${(msPerPhase.encode / 1000).toFixed(1)} s`,
      ].join('\n'),
    );
  } finally {
    interrupt.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function parseWhole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('A whole number from 1 is needed.');
  return Number(text);
}
