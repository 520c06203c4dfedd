import { canonicalJson } from '../core/canonical-json.ts';
import { redactJson } from '../core/dlp/redact-json.ts';
import { fingerprintOf } from '../core/registry/fingerprint.ts';
import type { LaunchIdentity } from '../gate/registry-port.ts';

/** The identity of a server that is reached by URL: all of the URL, of which what is secret is told apart and not kept. */
export function remoteIdentity(url: string): LaunchIdentity {
  const identity = { url };
  return { type: 'http', text: redactJson(identity).json, fingerprint: fingerprintOf(canonicalJson(identity)) };
}
