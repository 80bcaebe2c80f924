import { svelte } from '@sveltejs/vite-plugin-svelte';
import path from 'node:path';
import { defineConfig } from 'vite';

/** Serves the page's views over made-up services, so that they can be looked at and checked without a model or an oracle. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [svelte()],
  server: { fs: { allow: [path.resolve(import.meta.dirname, '../../..')] } },
  build: { target: 'es2023', emptyOutDir: true },
});
