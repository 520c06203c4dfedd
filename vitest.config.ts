import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMPILE_CACHE } from './test/support/run-cli.ts';

/** Tests that start clawai start the bundle. */
const FRESH_BUNDLE = ['test/support/fresh-bundle.ts'];

/** Tests of how much memory something takes, or that put much load on the machine: each has it for itself. */
const MEASURING = ['test/e2e/{memory,serve-memory,store-big,store-crowd,store-kill}.test.ts'];

/** The files that take longest, in their order: one that began last would be waited for by itself. Each must be there. */
const LONGEST = [
  'conformance/conformance',
  'conformance/serve',
  'e2e/serve-clients',
  'e2e/trust',
  'e2e/documented-commands',
  'e2e/eras',
  'e2e/login',
  'e2e/approvals',
  'e2e/store-faults',
  'e2e/wrap',
  'e2e/one-call',
  'e2e/policy-explain',
  'e2e/llm-secrets',
  'e2e/detection-serve',
  'e2e/openai-responses-hostile',
  'e2e/inspect',
  'e2e/flow',
  'e2e/wrap-shared',
  'e2e/run-llm',
  'e2e/transcripts',
  'advisories/idle-connections',
  'bench/growth',
  'policies/shipped',
  'cli/policy/replay/replay.property',
  'transcripts/replay',
  'cli/policy/test/policy-test',
  'core/dlp/find-secrets.hostile',
  'transport/llm/pass-lines',
].map((name) => realpathSync(join(import.meta.dirname, 'test', `${name}.test.ts`)));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = LONGEST.flatMap((name) => sorted.filter(({ moduleId }) => moduleId === name));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
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
          // More than there are cores, since half of their time they wait: for a person's answer, a process's start, a time-out.
          maxWorkers: availableParallelism() * 2 + 1,
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
