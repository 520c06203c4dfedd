import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMPILE_CACHE } from './test/support/run-cli.ts';

/** Tests that start clawai start the bundle. */
const FRESH_BUNDLE = ['test/support/fresh-bundle.ts'];

/** Tests of how much memory something takes, or that put much load on the machine: each has it for itself. */
const MEASURING = ['test/e2e/{memory,serve-memory,store-crowd,store-kill}.test.ts'];

/** The files that take longest: one that began last would be waited for by itself. */
const LONGEST =
  /\/(?:bench\/growth|conformance\/\w+|e2e\/(?:serve-clients|wrap|trust|approvals|wrap-shared|flow|run-llm|transcripts|store-big|guide|eras))\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(LONGEST.test(b.moduleId)) - Number(LONGEST.test(a.moduleId)));
  }
}

// Vitest would leave a core free for itself, which is half of a small machine.
export default defineConfig({
  test: {
    projects: [
      // They and the e2e tests share their processes, since to start one for each would take longer than its tests do.
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          globalSetup: FRESH_BUNDLE,
          exclude: ['test/{advisories,conformance,e2e}/**'],
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 1 },
        },
      },
      // The suites of MCP are two of these files, which wait more than they work.
      {
        extends: true,
        test: {
          name: 'e2e',
          isolate: false,
          include: ['test/{advisories,conformance,e2e}/**/*.test.ts'],
          exclude: MEASURING,
          globalSetup: FRESH_BUNDLE,
          // One more than there are cores, since most of them wait for processes now and then.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'measuring',
          include: MEASURING,
          globalSetup: FRESH_BUNDLE,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    // Forks, since tests start processes, send signals and drop privileges, which threads cannot.
    pool: 'forks',
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
    // A test that hangs ends; how long something takes is the bench's matter, since a machine may have much else to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    tags: [
      {
        name: 'long',
        description: 'Takes long, or needs a quiet machine: npm test leaves it out, npm run test:all runs it.',
        timeout: 300_000,
      },
    ],
  },
});
