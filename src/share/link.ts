import { AppError } from '../domain/app-error.ts';
import { parameter, parseAddress, printAddress, type Parameter } from './address.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { packPayload, unpackPayload, type Payload } from './payload.ts';
import { claimOrder, type Receipt } from './receipt.ts';
import { checkSummaryLength } from './summary.ts';

/** The parameter of the result view that holds the payload. */
export const PAYLOAD_PARAMETER = 'r';

/**
 * Prints what a link carries as a link: the names and the headline number in plain text first, for the people who pass it
 * on, then the payload. Inverse: {@link readAnyLink}.
 *
 * @param site address of the page, e.g. `https://assay.example/`; a fragment in it is dropped
 * @throws AppError `too-large-for-a-link`, `too-large-for-a-summary`: share the record file then
 */
export async function printLink(payload: Payload, site: string): Promise<string> {
  const address = printAddress({
    view: 'result',
    parameters: [...readablePart(payload), [PAYLOAD_PARAMETER, await sealEnvelope(packPayload(payload))]],
  });
  const link = site.replace(/#.*$/s, '') + address;
  return payload.kind === 'summary' ? checkSummaryLength(link) : link;
}

/** What the plain text before the payload says; nothing of it is believed. */
function readablePart(payload: Payload): Parameter[] {
  if (payload.kind === 'summary') {
    const [first] = payload.results;
    const [metric] = first?.metrics ?? [];
    if (first === undefined || metric === undefined) return [];
    return [
      ['benchmark', first.benchmark.id],
      ['model', payload.results.map(({ model }) => model.id).join(',')],
      [metric.name, payload.results.map(({ metrics }) => (metrics[0]?.value ?? 0).toFixed(3)).join(',')],
      ['claimed', ''],
    ];
  }
  const { manifest } = payload;
  const headline = headlineName(payload);
  const names: Parameter[] = [
    ['benchmark', manifest.benchmark.id],
    ['model', manifest.model.id],
  ];
  return headline === undefined ? names : [...names, [headline, (payload.claims[0] ?? 0).toFixed(3)]];
}

function headlineName(payload: Exclude<Payload, { kind: 'summary' }>): string | undefined {
  if (payload.kind === 'graded') return payload.manifest.measures[0];
  const [first] = claimOrder(payload.manifest.cutoffs);
  return first === undefined ? undefined : `${first.measure}@${first.k}`;
}

/**
 * Reads what a link carries from a link, from its fragment, or from the bare payload. What the plain text before the
 * payload says is not believed: only the payload counts.
 *
 * @throws AppError in words: incomplete, altered, newer, damaged, or no link at all
 */
export async function readAnyLink(text: string): Promise<Payload> {
  const payload = unpackPayload(await openFirst(readings(text)));
  if (payload.kind === 'summary') return payload;
  if (payload.manifest.resamples * payload.outcomes.length > 50_000_000) {
    throw new AppError(
      'link',
      'link-too-large',
      `The link asks for ${payload.manifest.resamples} resamples of ${payload.outcomes.length} queries, more than this page computes from a link.`,
    );
  }
  return payload;
}

/**
 * Reads the receipt of an executed benchmark from a link; see {@link readAnyLink}.
 *
 * @throws AppError also `link-of-another-kind` for a graded receipt or a summary
 */
export async function readLink(text: string): Promise<Receipt> {
  return executionReceipt(await readAnyLink(text));
}

/** Returns the payload when it is the receipt of an executed benchmark, else throws AppError `link-of-another-kind`. */
export function executionReceipt(payload: Payload): Receipt {
  if (payload.kind === 'execution') return payload;
  throw new AppError(
    'link',
    'link-of-another-kind',
    payload.kind === 'summary'
      ? 'The link is a summary: it claims numbers and holds no outcomes, so nothing in it can be checked or compared. Ask for the full link or the record.'
      : 'The link holds a graded result; this place takes results of executed benchmarks. Try assay verify.',
  );
}

/**
 * The ways to read a text that holds a link, best first: with line breaks taken out (mailers wrap), and up to the first
 * blank behind the payload (words stand around it).
 */
function readings(text: string): readonly string[] {
  const plain = unescape(text);
  const start = plain.search(/[#&?]r=|%23\/?\w*\?r=/);
  const blank = start < 0 ? -1 : plain.slice(start).search(/\s/);
  return blank < 0 ? [plain] : [plain, plain.slice(0, start + blank)];
}

/** Undoes what Markdown, HTML and quoted replies do to a link. */
function unescape(text: string): string {
  return text
    .replace(/\r?\n(?:[ \t]*>)+[ \t]?/g, '')
    .replace(/\\([_\-~*&#=])/g, '$1')
    .replace(/&amp;/g, '&');
}

/** Opens the first reading that opens; else throws what was wrong with the first. */
async function openFirst(texts: readonly string[]): Promise<Uint8Array> {
  let first: unknown;
  for (const text of texts) {
    try {
      return await openEnvelope(payloadOf(text));
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      first ??= thrown;
    }
  }
  throw first;
}

/** The payload within a link, a fragment or an address. */
function payloadOf(text: string): string {
  const start = text.search(/#|%23/);
  if (start < 0) return text.trim();
  const payload = parameter(parseAddress(text.slice(start)), PAYLOAD_PARAMETER);
  if (payload === undefined) {
    throw new AppError(
      'link',
      'not-a-result-link',
      'The link holds no result: there is no "r=" in it. If it was copied by hand, copy all of it.',
    );
  }
  return payload;
}
