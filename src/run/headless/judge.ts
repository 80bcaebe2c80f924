import type { Suite, SuiteResult } from '../../contracts/judge.ts';
import { decodeSuiteLines } from '../suite-lines.ts';
import type { RunServices } from '../services.ts';
import type { Bridge } from './bridge.ts';
import type { JudgeRequest } from './requests.ts';

/** Results are sent in lots of this size, in the order of the input. */
const LOT = 50;

/** Judges the suites of `suites.jsonl` and sends the results as progress, in order. Returns how many there were. */
export async function judge(
  request: JudgeRequest,
  bridge: Bridge,
  services: Pick<RunServices, 'judge'>,
): Promise<{ suites: number }> {
  const text = await new Response(await bridge.file('suites.jsonl')).text();
  const suites: Suite[] = decodeSuiteLines(text);
  const results: (SuiteResult | undefined)[] = [];
  let sent = 0;
  let sending: Promise<void> = Promise.resolve();
  const send = (final: boolean): void => {
    let ready = sent;
    while (results[ready] !== undefined) ready++;
    if (ready === sent || (!final && ready - sent < LOT)) return;
    const lot = results.slice(sent, ready);
    sent = ready;
    sending = sending.then(() => bridge.progress(lot));
  };
  await services.judge.judge(suites, {
    ...request.options,
    onResult: (result, index) => {
      results[index] = result;
      send(false);
    },
  });
  send(true);
  await sending;
  return { suites: suites.length };
}
