import { canonicalJson } from '../core/canonical-json.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { fingerprintOf } from '../core/registry/fingerprint.ts';
import type { LaunchIdentity } from '../gate/registry-port.ts';

/** The identity of a server that a command starts: all of its words, of which those that are secrets are told apart and not kept. */
export function launchIdentity([command, ...args]: readonly [string, ...string[]]): LaunchIdentity {
  const identity = { args, command };
  return { type: 'stdio', text: redactJson(identity).json, fingerprint: fingerprintOf(canonicalJson(identity)) };
}
