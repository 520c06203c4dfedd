import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Forks, since tests start processes, send signals and drop privileges, which threads cannot.
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
