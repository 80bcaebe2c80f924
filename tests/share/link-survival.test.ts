import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import { CLAIM_PHRASES } from '../../src/share/claims.ts';
import { printLink, readAnyLink, readLink } from '../../src/share/link.ts';
import { receiptOf, type Receipt } from '../../src/share/receipt.ts';
import { checkClaims, reportOfReceipt } from '../../src/share/recompute.ts';
import { resultFixture } from './result-fixture.ts';

let receipt: Receipt;
let link: string;

beforeAll(async () => {
  receipt = await receiptOf((await resultFixture(21, 40)).record);
  link = await printLink(receipt, 'https://assay.example/tool/');
});

describe('a link survives', () => {
  const ways: readonly [string, (link: string) => string][] = [
    ['angle brackets of a mail', (text) => `<${text}>`],
    ['a Markdown link', (text) => `[my result](${text})`],
    ['a full stop at its end', (text) => `${text}.`],
    ['a bracket and a comma at its end', (text) => `${text}),`],
    ['quotation marks', (text) => `"${text}"`],
    ['lines of 76 characters', (text) => text.replace(/.{76}/g, '$&\r\n')],
    ['quoted lines of a reply', (text) => `> ${text.replace(/.{76}/g, '$&\r\n> ')}`],
    ['%23 for #', (text) => text.replace('#', '%23')],
    ['an encoded payload', (text) => text.replace(/-/g, '%2D').replace(/_/g, '%5F')],
    ['escaped underscores of Markdown', (text) => text.replace(/_/g, '\\_')],
    [
      'soft hyphens and zero-width blanks',
      (text) => text.replace(/.{40}/g, '$&\u200b').replace(/.{90}/g, '$&\u00ad'),
    ],
    ['a tracking parameter behind it', (text) => `${text}&utm_source=chat`],
    ['encoded ampersands of HTML', (text) => text.replace(/&/g, '&amp;')],
    ['words around it', (text) => `Look at this: ${text} - what do you think?`],
  ];
  for (const [name, way] of ways)
    it(name, async () => {
      expect(await readLink(way(link))).toEqual(receipt);
    });
});

describe('a link that did not survive', () => {
  it('says that it is incomplete, wherever it was cut, and gives no partial numbers', async () => {
    const start = link.indexOf('r=') + 2;
    for (let length = start + 8; length < link.length - 1; length += 3)
      await expect(readLink(link.slice(0, length))).rejects.toThrow(/incomplete/);
  });

  it('of another version says so', async () => {
    const payload = link.slice(link.indexOf('r=') + 2);
    await expect(readLink(`#/result?r=Y${payload.slice(1)}`)).rejects.toThrow(/newer version/);
    await expect(readLink('#/result?r=AAAAAAAAAAAAAAAA')).rejects.toThrow(/not a link that Assay made/);
  });

  it('of ten million characters is refused at once', async () => {
    const started = performance.now();
    await expect(readLink(`#/result?r=${'A'.repeat(10_000_000)}`)).rejects.toThrow(/more than any/);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('never crashes, hangs or shows a wrong number as right, mutated at random', async () => {
    const runs = process.env['ASSAY_LONG'] === '1' ? 100_000 : 1_500;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_%&=#<>"\' \n\u0000é';
    const original = JSON.stringify(await readAnyLink(link));
    const change = fc.record({
      at: fc.nat(link.length - 1),
      kind: fc.constantFrom('replace', 'insert', 'delete', 'cut', 'double', 'swap'),
      sign: fc.constantFrom(...alphabet),
    });
    let [same, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        let text = link;
        for (const { at, kind, sign } of changes) {
          const [head, tail] = [text.slice(0, at), text.slice(at)];
          if (kind === 'replace') text = head + sign + tail.slice(1);
          else if (kind === 'insert') text = head + sign + tail;
          else if (kind === 'delete') text = head + tail.slice(1);
          else if (kind === 'cut') text = head;
          else if (kind === 'double') text = head + tail.slice(0, 5) + tail;
          else text = head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
        }
        try {
          const read = await readAnyLink(text);
          // What is read at all is the very receipt that was sent: the checksum lets nothing else through.
          expect(JSON.stringify(read)).toBe(original);
          same++;
        } catch (thrown) {
          if (!(thrown instanceof AppError)) throw thrown;
          expect(thrown.message).not.toBe('');
          refused++;
        }
      }),
      { numRuns: runs },
    );
    console.log(`${runs} mutated links: ${refused} refused, ${same} read as they were sent`);
    expect(refused).toBeGreaterThan(same);
  });

  it('but resealed by a forger has its numbers named as different', () => {
    const runs = process.env['ASSAY_LONG'] === '1' ? 5_000 : 100;
    fc.assert(
      fc.property(
        fc.nat(receipt.claims.length - 1),
        fc.double({ min: 1e-9, max: 1, noNaN: true }),
        (i, by) => {
          const claims = receipt.claims.map((claim, c) => (c === i ? claim + by : claim));
          const forged = { ...receipt, claims };
          const wrong = checkClaims(
            forged,
            reportOfReceipt({ ...forged, manifest: { ...receipt.manifest, resamples: 1 } }),
          );
          expect(wrong.filter(({ equal }) => !equal)).toHaveLength(1);
        },
      ),
      { numRuns: runs },
    );
    expect(CLAIM_PHRASES.different).toBe('recomputed and different');
  });
});
