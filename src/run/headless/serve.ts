import { AppError } from '../../domain/app-error.ts';
import type { Encoder } from '../../clients/encode.ts';
import type { RunServices } from '../services.ts';
import type { Bridge } from './bridge.ts';
import { encode } from './encode.ts';
import { evaluate } from './evaluate.ts';
import { judge } from './judge.ts';
import type { HeadlessRequest } from './requests.ts';

/** What headless sessions need beyond an evaluation's services. */
export interface HeadlessServices extends RunServices {
  openEncoder(...call: Parameters<RunServices['openEncoder']>): Promise<Encoder>;
  rankingsAsTrec(runId: string, tag: string): Promise<Blob>;
  rankingsAsJson(runId: string): Promise<Blob>;
  configureHub(hubUrl: string): Promise<void>;
}

/** Takes the session's one request, does it, and reports the result or what went wrong. */
export async function serveHeadless(
  bridge: Bridge,
  openServices: () => Promise<HeadlessServices>,
): Promise<void> {
  try {
    const request = (await bridge.request()) as HeadlessRequest;
    await bridge.succeed(await answer(request, bridge, await openServices()));
  } catch (thrown) {
    await bridge.fail(thrown);
  }
}

function answer(request: HeadlessRequest, bridge: Bridge, services: HeadlessServices): Promise<unknown> {
  switch (request.kind) {
    case 'evaluate':
      return evaluate(request, bridge, services);
    case 'encode':
      return encode(request, bridge, services);
    case 'judge':
      return judge(request, bridge, services);
    default:
      throw new AppError(
        'internal',
        'unknown-request',
        `The page does not know the request ${JSON.stringify((request as { kind: unknown }).kind)}. Page and command line were built apart: build again.`,
      );
  }
}
