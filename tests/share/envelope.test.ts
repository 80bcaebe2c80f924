import fc from 'fast-check';
import { deflateSync } from 'fflate';
import { sha256 } from 'hash-wasm';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/app-error.ts';
import {
  ENVELOPE_VERSION,
  MAX_UNPACKED_BYTES,
  openEnvelope,
  sealEnvelope,
} from '../../src/share/envelope.ts';

const codeOf = async (text: string): Promise<string> => {
  try {
    await openEnvelope(text);
    return 'opened';
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.code;
    throw thrown;
  }
};

/** An envelope with any version byte around already deflated bytes, its checksum right. */
async function craft(version: number, packed: Uint8Array): Promise<string> {
  const head = [version, packed.length >> 16, (packed.length >> 8) & 255, packed.length & 255];
  const body = Uint8Array.from([...head, ...packed]);
  const checksum = Buffer.from((await sha256(body)).slice(0, 12), 'hex');
  return Buffer.concat([body, checksum]).toString('base64url');
}

describe('the envelope of links', () => {
  it('gives back any bytes, in letters that nothing eats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), async (content) => {
        const text = await sealEnvelope(content);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(await openEnvelope(text)).toEqual(content);
      }),
      { numRuns: 50 },
    );
  });

  it('repairs what mailers and chat clients add', async () => {
    const content = new TextEncoder().encode('a result that travels through a mailer');
    const text = await sealEnvelope(content);
    const wrapped = `${text.slice(0, 20)}\r\n${text.slice(20, 40)} ${text.slice(40)}.`;
    expect(await openEnvelope(wrapped)).toEqual(content);
    expect(await openEnvelope(text.replaceAll('-', '%2D').replaceAll('_', '%5F'))).toEqual(content);
    expect(await openEnvelope(`${text})*`)).toEqual(content);
  });

  it('says of every cut that the link is incomplete or altered, never that it is whole', async () => {
    const text = await sealEnvelope(
      new TextEncoder().encode('x'.repeat(300) + 'some content that does not pack to nothing 0123456789'),
    );
    for (let length = 0; length < text.length; length++) {
      expect(['link-incomplete', 'link-altered']).toContain(await codeOf(text.slice(0, length)));
    }
  });

  it('recognises any changed character', async () => {
    const text = await sealEnvelope(crypto.getRandomValues(new Uint8Array(200)));
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(...'ABCxyz019-_'), async (at, letter) => {
        fc.pre(text[at] !== letter);
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        // The last character may hold bits that no byte uses: then nothing was changed.
        if (Buffer.from(changed, 'base64url').equals(Buffer.from(text, 'base64url'))) return;
        expect(await codeOf(changed)).not.toBe('opened');
      }),
    );
  });

  it('refuses a bomb early, at the cap', async () => {
    const bomb = await craft(ENVELOPE_VERSION, deflateSync(new Uint8Array(40_000_000), { level: 9 }));
    const start = performance.now();
    expect(await codeOf(bomb)).toBe('link-too-large');
    expect(performance.now() - start).toBeLessThan(1_000);
    await expect(sealEnvelope(new Uint8Array(MAX_UNPACKED_BYTES + 1))).rejects.toThrow(
      /share the record file/,
    );
  });

  it('tells newer versions, foreign text and broken deflate apart', async () => {
    expect(await codeOf(await craft(99, deflateSync(new Uint8Array(10))))).toBe('link-newer');
    expect(await codeOf(await craft(0, deflateSync(new Uint8Array(10))))).toBe('link-unreadable');
    expect(await codeOf(await craft(ENVELOPE_VERSION, Uint8Array.of(7, 7, 7, 7)))).toBe('link-unreadable');
    expect(await codeOf('not*a*link')).toBe('link-unreadable');
    expect(await codeOf('A'.repeat(200_000))).toBe('link-too-large');
    expect(await codeOf('')).toBe('link-incomplete');
  });
});
