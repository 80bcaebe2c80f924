import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/e2e/**'],
    environment: 'node',
    setupFiles: ['tests/seed.ts'],
    // Two cores: more workers only fight over them.
    maxWorkers: 2,
    testTimeout: 30_000,
  },
});
