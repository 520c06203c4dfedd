import { canonicalJson } from '../core/canonical-json.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { fingerprintOf } from '../core/registry/fingerprint.ts';
import type { LaunchIdentity } from '../gate/ports/registry-port.ts';

/** Returns the identity of a server that a command starts. The fingerprint covers all words; the text has secrets masked. */
export function launchIdentity([command, ...args]: readonly [string, ...string[]]): LaunchIdentity {
  const identity = { args, command };
  return { type: 'stdio', text: redactJson(identity).json, fingerprint: fingerprintOf(canonicalJson(identity)) };
}

/**
 * Returns the identity of a server that is reached by URL. The fingerprint covers the whole URL.
 *
 * @param shown the URL without what people must not see: a value of its query may be a token that looks like none
 */
export function remoteIdentity(url: string, shown: string): LaunchIdentity {
  return { type: 'http', text: redactJson({ url: shown }).json, fingerprint: fingerprintOf(canonicalJson({ url })) };
}
