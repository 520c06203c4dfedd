import { randomUUID } from 'node:crypto';

/**
 * A source of this process's session id: what `CLAWAI_SESSION` names where the client lets it through, otherwise a random
 * one. It is made when first asked for, since most processes that clients start never decide a call.
 */
export function createSessionId(env: NodeJS.ProcessEnv): () => string {
  let session: string | undefined;
  return () => (session ??= env['CLAWAI_SESSION'] || randomUUID());
}
