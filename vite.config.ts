import { svelte } from '@sveltejs/vite-plugin-svelte';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { pageHeaders, pagePolicy } from './scripts/page-policy.mjs';

const outDir = 'dist/page';
/** The kernel's and the oracle's build steps leave their products and manifests here, before the page build. */
const judgeManifest = 'build/judge/manifest.json';

export default defineConfig({
  base: './',
  plugins: [svelte(), pagePolicyPlugin(), appFilesPlugin()],
  resolve: { conditions: ['onnxruntime-web-use-extern-wasm', 'module', 'browser', 'production'] },
  worker: { format: 'es', plugins: () => [svelte()] },
  build: {
    outDir,
    target: 'es2023',
    // A small wasm would become a data: URL, which the policy blocks.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 5_000,
    rollupOptions: {
      checks: { pluginTimings: false },
      input: { index: 'index.html', offline: 'workers/offline/offline.ts' },
      output: {
        entryFileNames: (chunk) => (chunk.name === 'offline' ? 'offline.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
});

/** Writes the policy into index.html (hosts without headers) and into headers.json and _headers (hosts with). */
function pagePolicyPlugin(): Plugin {
  let policy = '';
  return {
    name: 'assay-page-policy',
    apply: 'build',
    buildStart() {
      if (!existsSync(judgeManifest))
        this.error(`${judgeManifest} is missing: run node scripts/build-judge.mjs first`);
      const manifest = JSON.parse(readFileSync(judgeManifest, 'utf8')) as { frameScriptHash: string };
      policy = pagePolicy(manifest.frameScriptHash);
    },
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        injectTo: 'head-prepend',
      },
    ],
    closeBundle() {
      if (!existsSync(outDir)) return;
      const headers = pageHeaders(policy);
      writeFileSync(path.join(outDir, 'headers.json'), `${JSON.stringify(headers, null, 2)}\n`);
      // Read by the static hosts that take headers from a file of this name.
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
      writeFileSync(path.join(outDir, '_headers'), `/*\n${lines.join('\n')}\n`);
    },
  };
}

/** Lists the files that the service worker keeps, and refuses a file that some static hosts would not serve. */
function appFilesPlugin(): Plugin {
  const largest = 24 * 1024 * 1024;
  return {
    name: 'assay-app-files',
    apply: 'build',
    closeBundle() {
      if (!existsSync(outDir)) return;
      const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(path.join(outDir, name)).isFile(),
      );
      for (const name of files) {
        const bytes = statSync(path.join(outDir, name)).size;
        if (bytes > largest)
          this.error(`${name} has ${bytes} bytes; static hosts refuse more than ${largest}`);
      }
      const kept = files
        .map((name) => name.split(path.sep).join('/'))
        // Models and benchmarks lie in the store, where the storage view shows and removes them.
        .filter((name) => !/^(_headers$|headers\.json$|offline\.js$|models\/|benchmarks\/)/.test(name));
      writeFileSync(
        path.join(outDir, 'app-files.json'),
        JSON.stringify(['', 'app-files.json', ...kept.sort()]),
      );
    },
  };
}
