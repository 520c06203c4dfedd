import type { DetectionFacts } from '../../core/detect/facts.ts';
import type { CompiledPolicy } from '../../core/policy/compile.ts';
import type { Call } from '../../core/call.ts';
import type { Registry } from '../registry-port.ts';
import { findingsOf, isApproved } from './findings.ts';

/**
 * What is kept of what was found in the tool of a call, of one that no connection to its server is about. Undefined where nobody has looked, or
 * nothing is decided by it. Throws where the store fails.
 */
export function readToolFindings(
  registry: Pick<Registry, 'pin' | 'look' | 'scopeOf'>,
  policy: CompiledPolicy,
  { server, tool = '' }: Pick<Call, 'server' | 'tool'>,
): DetectionFacts | undefined {
  const { enabled, onDefinition, requireApproval } = policy.policy.detection;
  if (!enabled || (onDefinition === 'alert' && !requireApproval)) return undefined;
  const scope = registry.scopeOf(server, tool);
  const pin = registry.pin(scope, 'tool', tool);
  const look = pin === undefined ? undefined : registry.look(scope, 'tool', tool, pin.seen);
  if (look === undefined) return undefined;
  return { findings: findingsOf(policy, look, { server, tool }), ofServer: [], isApproved: isApproved(pin) };
}
