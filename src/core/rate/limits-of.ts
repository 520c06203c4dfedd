import { type Call, CLIENT_CALLS } from '../call.ts';
import type { RateLimits } from '../policy/types.ts';
import type { NamedLimit } from './bucket.ts';

/**
 * The buckets that a call takes from: its server's, and its tool's where the policy names that. None where nothing is limited, none for an
 * agent's own tools, and none for methods that are no calls of clients. What a key is made of can be told from it, so that no server shares one
 * with a tool of another, whatever their names are.
 */
export function limitsOf({ enabled, default: fallback, servers }: RateLimits, call: Call): readonly NamedLimit[] {
  if (!enabled || !CLIENT_CALLS.has(call.method) || call.origin === 'native') return [];
  const own = servers.get(call.server);
  const ofServer: NamedLimit = { ...(own?.limit ?? fallback), key: JSON.stringify([call.server]), of: 'server' };
  const tool = call.tool === undefined ? undefined : own?.tools.get(call.tool);
  return tool === undefined ? [ofServer] : [ofServer, { ...tool, key: JSON.stringify([call.server, call.tool]), of: 'tool' }];
}
