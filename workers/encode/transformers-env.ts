/** transformers.js taken off the network: every file comes from a map in memory. Imported by tokenizer.ts and graph.ts only. */
import { env, LogLevel } from '@huggingface/transformers';

/** Files of the model in memory, by path. */
export type ModelFileMap = ReadonlyMap<string, Uint8Array>;

const HOST = 'https://model.invalid/';

/** The name under which transformers.js asks for the one model of this thread. */
export const MODEL_NAME = 'model';

/** Serves transformers.js these files and nothing else: no hub, no CDN, no cache of its own. */
export function serveFiles(files: ModelFileMap): void {
  env.logLevel = LogLevel.ERROR;
  env.allowLocalModels = false;
  env.allowRemoteModels = true;
  env.remoteHost = HOST;
  env.remotePathTemplate = '{model}';
  env.useFSCache = false;
  env.useBrowserCache = false;
  // Otherwise the module is imported from a blob:, which the page's policy does not allow.
  env.useWasmCache = false;
  env.useCustomCache = true;
  env.customCache = {
    match: async (key: string) => {
      const bytes = files.get(decodeURIComponent(key.slice(`${HOST}${MODEL_NAME}/`.length)));
      return bytes && new Response(bytes as Uint8Array<ArrayBuffer>);
    },
    put: async () => undefined,
  } as unknown as NonNullable<typeof env.customCache>;
  env.fetch = async () => new Response(null, { status: 404 });
}

/** Versions of what computes, for records. */
export function runtimeVersions(): Record<string, string> {
  return {
    'transformers.js': env.version,
    'onnxruntime-web': env.backends.onnx.versions?.web ?? env.backends.onnx.versions?.common ?? 'unknown',
  };
}
