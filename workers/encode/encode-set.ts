import { digestOfJson } from '../../src/domain/digest.ts';
import type { DocumentsBlock, SetKey, VectorsMeta } from '../../src/contracts/blocks.ts';
import { abortedError, type CallOptions } from '../../src/contracts/calls.ts';
import type { EncodedSet, EncodeSetRequest } from '../../src/contracts/encode.ts';
import { documentText } from '../../src/protocols/document-text.ts';
import { BlockStore, type SetWriter } from '../../src/store/block-store.ts';
import { encodeTokens, paddingShare, tokeniseTexts, type EncodeSettings } from './encoder.ts';
import type { EncodingModel } from './encoding-model.ts';
import type { TokenisedText } from './tokens.ts';

/** What makes vectors differ besides the texts; a set of vectors is named by its digest together with the texts'. */
export type VectorIdentity = Pick<VectorsMeta, 'model' | 'modelDigest' | 'dtype' | 'device' | 'encoding'>;

/**
 * Texts that are sorted by length together and make one block of vectors. Fixed, so that batches, and with them the vectors
 * of models that depend on batch mates, are the same in every run; small, so that a closed tab loses little.
 */
export const WINDOW_TEXTS = 512;

/** Sums over a set so far; kept with each block, so that a later sitting goes on counting. */
interface Tally {
  readonly tokens: number;
  readonly computedTokens: number;
  readonly truncatedTexts: number;
  readonly emptyTexts: number;
  readonly batches: number;
}

const NOTHING: Tally = { tokens: 0, computedTokens: 0, truncatedTexts: 0, emptyTexts: 0, batches: 0 };

/**
 * Encodes a set of texts into a set of vectors: rows in the order of the texts, a window makes one block. What is there already
 * from an earlier sitting is kept. Errors: `set-missing`, `set-incomplete`, `aborted`, those of encoding and of the store.
 */
export async function encodeSet(
  store: BlockStore,
  model: EncodingModel,
  settings: EncodeSettings,
  request: EncodeSetRequest,
  identity: VectorIdentity,
  { signal, onProgress }: CallOptions,
): Promise<Omit<EncodedSet, 'lanes'>> {
  const started = performance.now();
  const { textsSet, side, textsDigest } = request;
  const texts = await store.completeManifest<'documents' | 'queries'>(textsSet);
  const { dimensions } = settings;
  const encoding = {
    ...identity.encoding,
    template: side === 'document' ? request.documentTemplate : 'text',
  };
  const named = { ...identity, encoding, side, textsDigest, dimensions };
  const vectorsSet: SetKey<'vectors'> = `vectors:${await digestOfJson(named)}`;
  const meta: VectorsMeta = { ...named, rows: texts.rows };
  const writer = await store.openWriter(vectorsSet, meta, signal ? { signal } : {});
  try {
    const resumedTexts = writer.manifest.rows;
    const report = (done: number): void =>
      onProgress?.({ step: `encode ${side}s`, done, total: texts.rows, unit: 'texts' });
    report(resumedTexts);
    const tally = writer.manifest.complete
      ? tallyOf(writer)
      : await writeVectors(
          writer,
          windowsFrom(store, request, resumedTexts),
          model,
          settings,
          report,
          signal,
        );
    await store.touch([vectorsSet]);
    return {
      vectorsSet,
      texts: texts.rows,
      dimensions,
      tokens: tally.tokens,
      paddingShare: paddingShare(tally.tokens, tally.computedTokens),
      truncatedTexts: tally.truncatedTexts,
      maxTokens: settings.maxTokens,
      emptyTexts: tally.emptyTexts,
      batches: tally.batches,
      batchTokens: settings.batchTokens,
      resumedTexts,
      ms: performance.now() - started,
    };
  } finally {
    await writer.close();
  }
}

async function writeVectors(
  writer: SetWriter<'vectors'>,
  windows: AsyncGenerator<readonly string[]>,
  model: EncodingModel,
  settings: EncodeSettings,
  report: (doneTexts: number) => void,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const { dimensions } = settings;
  let tally = tallyOf(writer);
  let current = await nextWindow(windows, model, settings);
  while (current) {
    if (signal?.aborted) throw abortedError();
    const { texts, tokenised } = current;
    const firstRow = writer.manifest.rows;
    // The next window is read and tokenised here while the lanes compute this one.
    let following: Promise<Window | undefined> | undefined;
    const rows = await encodeTokens(model, tokenised, texts, settings, {
      ...(signal && { signal }),
      whileComputing: () => {
        following = nextWindow(windows, model, settings);
        following.catch(() => undefined); // Reported when it is awaited, which may be never.
      },
      onBatch: (done) => report(firstRow + done),
    });
    tally = {
      tokens: tally.tokens + rows.tokens,
      computedTokens: tally.computedTokens + rows.computedTokens,
      truncatedTexts: tally.truncatedTexts + rows.truncatedRows.length,
      emptyTexts: tally.emptyTexts + rows.emptyTexts,
      batches: tally.batches + rows.batches,
    };
    await writer.append({ firstRow, rows: texts.length, dimensions, values: rows.values }, tally);
    report(firstRow + texts.length);
    current = await following;
  }
  await writer.complete({ ...writer.manifest.meta, notes: { ...tally } });
  return tally;
}

interface Window {
  readonly texts: readonly string[];
  readonly tokenised: readonly TokenisedText[];
}

async function nextWindow(
  windows: AsyncGenerator<readonly string[]>,
  model: EncodingModel,
  settings: EncodeSettings,
): Promise<Window | undefined> {
  const next = await windows.next();
  if (next.done) return undefined;
  return { texts: next.value, tokenised: tokeniseTexts(model, next.value, settings) };
}

/** Texts from a row on, through the template, in windows; windows start at multiples of {@link WINDOW_TEXTS}. */
async function* windowsFrom(
  store: BlockStore,
  { textsSet, side, documentTemplate }: EncodeSetRequest,
  row: number,
): AsyncGenerator<readonly string[]> {
  const manifest = await store.completeManifest<'documents' | 'queries'>(textsSet);
  const first = BlockStore.blockOfRow(manifest, row);
  if (!first) return;
  let gathered: string[] = [];
  let skip = row - first.firstRow;
  for await (const block of store.readBlocks<'documents' | 'queries'>(textsSet, { from: first.index })) {
    const texts =
      side === 'document' ? documentTexts(block as DocumentsBlock, documentTemplate) : block.texts;
    for (const text of texts.slice(skip)) {
      gathered.push(text);
      if (gathered.length === WINDOW_TEXTS) {
        yield gathered;
        gathered = [];
      }
    }
    skip = 0;
  }
  if (gathered.length > 0) yield gathered;
}

function documentTexts(
  { texts, titles }: DocumentsBlock,
  template: EncodeSetRequest['documentTemplate'],
): readonly string[] {
  return texts.map((text, i) => documentText({ text, title: titles?.[i] ?? '' }, template));
}

function tallyOf(writer: SetWriter<'vectors'>): Tally {
  // Only this file writes it.
  return (writer.resume as Tally | undefined) ?? NOTHING;
}
