import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start clawai start the bundle. */
const FRESH_BUNDLE = ['test/support/fresh-bundle.ts'];
const PURE = 'test/{core,gate,protocol,schemas}/**/*.test.ts';

// Vitest leaves a core free for itself, which is half of a small machine. Only those with real processes, which wait for each other, need theirs.
export default defineConfig({
  test: {
    projects: [
      // The layers that touch nothing of the process they run in: no test of theirs needs a process of its own, which takes longer than the test.
      {
        extends: true,
        test: {
          name: 'pure',
          include: [PURE],
          globalSetup: FRESH_BUNDLE,
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['test/**/*.test.ts'],
          globalSetup: FRESH_BUNDLE,
          exclude: ['test/{advisories,conformance,e2e}/**', PURE],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      // The suites of MCP are two files, which wait more than they work.
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          globalSetup: FRESH_BUNDLE,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      // Each of them tries one bypass, and measures nothing.
      {
        extends: true,
        test: {
          name: 'advisories',
          include: ['test/advisories/**/*.test.ts'],
          globalSetup: FRESH_BUNDLE,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: FRESH_BUNDLE,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
        },
      },
    ],
    // Forks, since tests start processes, send signals and drop privileges, which threads cannot.
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
