import { defineConfig } from 'vite';

// The command line: the same modules as the page, bundled for Node 20, which runs no TypeScript.
export default defineConfig({
  publicDir: false,
  build: {
    ssr: 'cli/main.ts',
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node20',
    rollupOptions: {
      checks: { pluginTimings: false },
      output: { entryFileNames: 'cli.mjs', codeSplitting: false },
    },
  },
});
