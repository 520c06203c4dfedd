import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/e2e/**', 'test/advisories/**'] } },
      // These run the real binary, hence the bundle.
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts', 'test/advisories/**/*.test.ts'],
          globalSetup: ['test/support/fresh-bundle.ts'],
        },
      },
    ],
    // Forks, since tests start processes, send signals and drop privileges, which threads cannot.
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
