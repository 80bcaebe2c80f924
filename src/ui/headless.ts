import { parameter, parseAddress } from '../share/address.ts';
import { Bridge } from '../run/headless/bridge.ts';
import { serveHeadless } from '../run/headless/serve.ts';
import { openRunServices } from '../run/open-services.ts';

/** The page without a view: does the one request of the command line that opened it. */
export async function runHeadless(): Promise<void> {
  const token = parameter(parseAddress(location.hash), 'token') ?? '';
  const appUrl = new URL('./', document.baseURI).href;
  document.title = 'Assay (headless)';
  await serveHeadless(new Bridge(appUrl, token), async () => openRunServices(appUrl));
}
