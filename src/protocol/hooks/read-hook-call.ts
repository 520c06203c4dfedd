import type { HookCall, HookClient } from './hook-client.ts';
import { Payload } from './payload.ts';

/**
 * Reads the call that a client asks about.
 *
 * @param text what the client handed over
 * @throws Error if it is none that this version knows: then nobody can say what would run, and the call must be denied
 */
export function readHookCall(text: string, client: Pick<HookClient, 'id' | 'read'>): HookCall {
  if (text.trim() === '') throw new Error(`${client.id} handed nothing to its hook`);
  const payload = Payload.read(text);
  if (payload === undefined) throw new Error(`what ${client.id} handed to its hook is no JSON object`);
  const call = client.read(payload);
  if (call === undefined) throw new Error(`what ${client.id} handed to its hook is no call that clawai can read`);
  return call;
}
