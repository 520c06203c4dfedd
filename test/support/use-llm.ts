import { afterEach } from 'vitest';
import { type LlmOptions, runLlm, type RunningLlm } from './llm-route.ts';

/** The route of the test that runs. */
interface Llm {
  readonly current: RunningLlm | undefined;
  run(options: LlmOptions): Promise<RunningLlm>;
}

/** A route that each test of a file starts, and that is closed after it. @param defaults of all of them */
export function useLlm(defaults: Partial<LlmOptions> = {}): Llm {
  let current: RunningLlm | undefined;
  afterEach(async () => {
    await current?.close();
    current = undefined;
  });
  return {
    get current() {
      return current;
    },
    run: async (options) => (current = await runLlm({ ...defaults, ...options })),
  };
}
