import type { RegistryFacts } from '../../src/core/facts.ts';

/** What is known of a tool that is as it was approved, but for what the test says. */
export function registryFacts(facts: Partial<RegistryFacts> = {}): RegistryFacts {
  return {
    status: 'pinned',
    fingerprint: `sha256:${'1'.repeat(64)}`,
    definition: () => undefined,
    isServerChanged: false,
    ...facts,
  };
}
