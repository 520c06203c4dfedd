import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';
import { denialBy } from '../../protocol/hooks/hook-client.ts';
import { HOOK_CLIENTS } from '../../protocol/hooks/hook-clients.ts';
import { hookUrl, type ServedHook } from '../../remote/served-hook.ts';
import { HookRoute } from '../../transport/hook/hook-route.ts';
import { refuse, sendJson } from '../../transport/http/respond.ts';
import type { Target } from '../../transport/http/target.ts';
import { noteHookSeen } from '../../wrap/hooks/hook-seen.ts';
import { hooksFolder } from '../machine/own-paths.ts';
import type { GateMaker } from './gate-maker.ts';

interface HookRoutesOptions {
  readonly hooks: readonly ServedHook[];
  readonly config: Config;
  readonly maker: GateMaker;
  readonly warn: (line: string) => void;
}

/** The routes at which clients ask by HTTP before they run a tool. */
export class HookRoutes {
  readonly #hooks: readonly ServedHook[];
  /** Routes by a hash of client and secret, so that the time of a look-up reveals nothing of the secrets. */
  readonly #routes: ReadonlyMap<string, HookRoute>;
  readonly #open = new Set<Promise<void>>();

  constructor({ hooks, config, maker, warn }: HookRoutesOptions) {
    this.#hooks = hooks;
    this.#routes = new Map(
      hooks.flatMap((hook) => {
        const client = HOOK_CLIENTS.find(({ id }) => id === hook.client);
        if (client === undefined) return [];
        const group = `hook:${hook.client}`;
        const route = new HookRoute({
          client,
          limit: config.limits.message,
          gateFor: async (socket, { cwd }) => {
            noteHookSeen(hooksFolder({ env: process.env, platform: process.platform, home: homedir() }), client.id);
            return maker.createHookGate(await maker.callerOf({ group }, socket), cwd);
          },
          warn,
        });
        return [[keyOf(hook.client, hook.secret), route] as const];
      }),
    );
  }

  find(client: string, secret: string): HookRoute | undefined {
    return this.#routes.get(keyOf(client, secret));
  }

  /** The URLs that clients ask. @param origin of our listener */
  urls(origin: string): readonly { readonly name: string; readonly url: string }[] {
    return this.#hooks.map((hook) => ({ name: hook.client, url: hookUrl(origin, hook) }));
  }

  /** Takes a request to `/hook/CLIENT/SECRET`. */
  handle(request: IncomingMessage, response: ServerResponse, { segments }: Target): void {
    const [, client = '', secret = '', ...more] = segments;
    const route = more.length > 0 ? undefined : this.find(client, secret);
    if (route === undefined) return this.#refuse(request, response, client);
    const handling = route.handle(request, response).finally(() => this.#open.delete(handling));
    this.#open.add(handling);
  }

  /** With another status than 200, a client may run the call: so it is denied if the client is known. */
  #refuse(request: IncomingMessage, response: ServerResponse, client: string): void {
    const known = HOOK_CLIENTS.find(({ id }) => id === client && this.#hooks.some((hook) => hook.client === id));
    if (known === undefined) return refuse(response, 404, 'there is no such hook here');
    request.resume();
    const why =
      'clawai denied this call, because its hook has an outdated URL. Tell the user to install the hooks of clawai again.';
    sendJson(response, 200, denialBy(known, why).stdout.trimEnd());
  }

  /** Resolves when all is on record; call it when no more requests come. */
  async close(): Promise<void> {
    await Promise.all(this.#open);
  }
}

function keyOf(client: string, secret: string): string {
  return createHash('sha256').update(`${client}\0${secret}`).digest('base64');
}
