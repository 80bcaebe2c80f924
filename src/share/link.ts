import { AppError } from '../domain/app-error.ts';
import { parameter, parseAddress, printAddress } from './address.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { claimOrder, packReceipt, unpackReceipt, type Receipt } from './receipt.ts';

/** The parameter of the result view that holds the payload. */
export const PAYLOAD_PARAMETER = 'r';

/**
 * Prints a receipt as a link: the names and the headline number in plain text first, for the people who pass it on, then
 * the payload. Inverse: {@link readLink}.
 *
 * @param site address of the page, e.g. `https://assay.example/`; a fragment in it is dropped
 */
export async function printLink(receipt: Receipt, site: string): Promise<string> {
  const { manifest } = receipt;
  const headline = claimOrder(manifest.cutoffs)[0];
  const payload = await sealEnvelope(packReceipt(receipt));
  const address = printAddress({
    view: 'result',
    parameters: [
      ['benchmark', manifest.benchmark.id],
      ['model', manifest.model.id],
      ...(headline === undefined
        ? []
        : [[`${headline.measure}@${headline.k}`, (receipt.claims[0] ?? 0).toFixed(3)] as const]),
      [PAYLOAD_PARAMETER, payload],
    ],
  });
  return site.replace(/#.*$/s, '') + address;
}

/**
 * Reads a receipt from a link, from its fragment, or from the bare payload. What the plain text before the payload says
 * is not believed: only the payload counts.
 *
 * @throws AppError in words: incomplete, altered, newer, damaged, or no link at all
 */
export async function readLink(text: string): Promise<Receipt> {
  const receipt = unpackReceipt(await openEnvelope(payloadOf(text)));
  if (receipt.manifest.resamples * receipt.outcomes.length > 50_000_000) {
    throw new AppError(
      'link',
      'link-too-large',
      `The link asks for ${receipt.manifest.resamples} resamples of ${receipt.outcomes.length} queries, more than this page computes from a link.`,
    );
  }
  return receipt;
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
