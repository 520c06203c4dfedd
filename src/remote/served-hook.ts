import type { Config } from '../config/config.ts';
import { secretsOf } from './remote-state.ts';

/** Clients that can ask their hook by HTTP. */
export const HTTP_HOOK_CLIENTS = ['claude-code'] as const;

/** A client's hook at `clawai serve`. */
export interface ServedHook {
  readonly client: (typeof HTTP_HOOK_CLIENTS)[number];
  /** The last part of its URL: whoever has it may ask. */
  readonly secret: string;
}

/** Builds the URL that a client asks. @param origin e.g. `http://127.0.0.1:8787` */
export function hookUrl(origin: string, { client, secret }: ServedHook): string {
  return `${origin}/hook/${client}/${secret}`;
}

/**
 * Loads the hooks. It creates and stores missing secrets before it returns.
 *
 * @throws ClawaiError `remote_state_damaged` or `remote_state_unusable`
 */
export function loadHooks({ stateDir }: Pick<Config, 'stateDir'>): readonly ServedHook[] {
  const secrets = secretsOf(stateDir, HTTP_HOOK_CLIENTS.map(keyOf));
  return HTTP_HOOK_CLIENTS.flatMap((client) => {
    const secret = secrets.get(keyOf(client));
    return secret === undefined ? [] : [{ client, secret }];
  });
}

/** Returns the key of its secret among those of servers, whose names have no slash. */
function keyOf(client: string): string {
  return `hook/${client}`;
}
