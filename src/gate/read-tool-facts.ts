import type { Call } from '../core/call.ts';
import type { RegistryFacts } from '../core/registry/facts.ts';
import { pinStatus } from '../core/registry/pin-status.ts';
import type { Registry } from './registry-port.ts';

/** Facts about what has no definition, such as a tool of the agent's own. */
export const NO_DEFINITION: RegistryFacts = {
  status: 'pinned',
  fingerprint: undefined,
  definition: () => undefined,
  isServerChanged: false,
};

/** What is known of the tool of a call that no connection to its server is about. Throws where the store fails. */
export function readToolFacts(
  registry: Pick<Registry, 'pin' | 'scopeOf' | 'text'>,
  { server, tool = '' }: Pick<Call, 'server' | 'tool'>,
): RegistryFacts {
  const scope = registry.scopeOf(server, tool);
  const pin = registry.pin(scope, 'tool', tool);
  return {
    status: pinStatus(pin),
    fingerprint: pin?.seen,
    definition: () => registry.text(scope, 'tool', tool, 'seen'),
    isServerChanged: false,
  };
}
