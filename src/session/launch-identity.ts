import { canonicalJson } from '../core/canonical-json.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { fingerprintOf } from '../core/registry/fingerprint.ts';
import type { LaunchIdentity } from '../gate/ports/registry-port.ts';

/** The identity of a server that a command starts: all of its words, of which those that are secrets are told apart and not kept. */
export function launchIdentity([command, ...args]: readonly [string, ...string[]]): LaunchIdentity {
  const identity = { args, command };
  return { type: 'stdio', text: redactJson(identity).json, fingerprint: fingerprintOf(canonicalJson(identity)) };
}

/**
 * The identity of a server that is reached by URL: all of the URL, of which what is secret is told apart and not kept.
 *
 * @param shown the URL without what people must not see of it: a value of its query may be a token that looks like none
 */
export function remoteIdentity(url: string, shown: string): LaunchIdentity {
  return { type: 'http', text: redactJson({ url: shown }).json, fingerprint: fingerprintOf(canonicalJson({ url })) };
}
