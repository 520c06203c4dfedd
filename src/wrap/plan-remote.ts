import { readRemoteUrl } from '../config/addresses.ts';
import { isRoutable, routeUrl } from '../remote/remote-server.ts';
import type { WrappedServer } from '../remote/state-text.ts';
import { urlForbiddenBy, type AllowList } from './allow-list.ts';
import type { FoundServer } from './read-servers.ts';
import { type AnswerTo, judgeAnswer, TEMPLATE, toQuestion, type Sharing, type SkipReason } from './remote-answer.ts';
import type { Routes } from './routes.ts';
import type { Portable } from './portable.ts';

/** The plan for a remote entry. */
export type RemotePlan =
  | { readonly action: 'wrapped' }
  | {
      readonly action: 'wrap' | 'update';
      readonly url: string;
      readonly server: WrappedServer;
      readonly note?: string | undefined;
    }
  | { readonly action: 'skip'; readonly reason: SkipReason; readonly detail?: string | undefined };

export interface RemoteRules {
  readonly routes: Routes;
  readonly allowLists: readonly AllowList[];
  readonly sharing: (server: FoundServer) => Sharing | 'own-entry' | undefined;
  readonly portable?: Portable | undefined;
  /** Returns the answer of a server that was asked; called only if nothing else prevents wrapping. */
  readonly answerTo?: AnswerTo | undefined;
  /** True if somebody named the selected servers. */
  readonly isNamed?: boolean | undefined;
}

/** Clients' names for streamable HTTP and HTTP+SSE. A URL without a type is one of them. */
const HTTP_TYPES = ['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'remote', 'sse'];

/** Keys of entries with which a client logs in by OAuth, or creates tokens, for exactly that URL. */
const LOGIN_KEYS = ['oauth', 'auth', 'authProviderType', 'oauth_resource'];

/** Plans the change of a remote server's entry. @param realFile real path of its config */
export function planRemote(server: FoundServer, realFile: string, rules: RemoteRules): RemotePlan {
  const { routes } = rules;
  const { entry, pointer, clients } = server;
  const { url = '', name } = entry;
  const known = routes.find(url);
  if (known === undefined && routes.isDeclared(url)) return { action: 'wrapped' };
  if (known === undefined) {
    const refusal = reasonToSkip(server, rules);
    if (refusal !== undefined) return { action: 'skip', ...refusal };
  }
  // While `clawai serve` is not running, no better URL is known.
  if (routes.origin === undefined) return { action: 'wrapped' };
  const placed = routes.place({
    name,
    url: known?.url ?? url,
    group: `client:${clients[0] ?? server.found.client.id}`,
    file: realFile,
    pointer,
  });
  const after = routeUrl(routes.origin, placed);
  if (after === url) return { action: 'wrapped' };
  const refusal = reasonToLeave(server, after, rules);
  if (refusal !== undefined) return { action: 'skip', ...refusal };
  if (known !== undefined) return { action: 'update', url: after, server: placed };
  const judged = judgeAnswer(rules.answerTo?.(toQuestion(server, realFile)), rules.isNamed === true);
  if (judged.refusal !== undefined) return { action: 'skip', ...judged.refusal };
  const { auth, note } = judged;
  return { action: 'wrap', url: after, server: auth === undefined ? placed : { ...placed, auth }, note };
}

interface Refusal {
  readonly reason: SkipReason;
  readonly detail?: string | undefined;
}

/** Returns why an entry that is not ours can't be wrapped. */
function reasonToSkip({ entry, found }: FoundServer, { routes }: RemoteRules): Refusal | undefined {
  const { url = '', type, keys, name } = entry;
  const place = placeRefusal(found.location);
  if (place !== undefined) return place;
  if (routes.isOwn(url)) return { reason: 'own-listener' };
  if (type !== undefined && !HTTP_TYPES.includes(type)) return { reason: 'transport', detail: `its transport is ${type}` };
  if (TEMPLATE.test(url)) return { reason: 'templated-url' };
  const read = readRemoteUrl(url);
  if (!read.ok) return { reason: 'url', detail: `its URL ${read.problem}` };
  const login = LOGIN_KEYS.find((key) => keys.includes(key));
  if (login !== undefined) return { reason: 'oauth', detail: `it has ${JSON.stringify(login)}` };
  if (!isRoutable(name)) return { reason: 'name' };
  return routes.origin === undefined
    ? { reason: 'serve-stopped', detail: routes.obstacle === '' ? undefined : routes.obstacle }
    : undefined;
}

function placeRefusal({ scope, isPluginCache }: FoundServer['found']['location']): Refusal | undefined {
  if (scope === 'managed') return { reason: 'managed' };
  return isPluginCache === true ? { reason: 'plugin-cache' } : undefined;
}

/** Returns why an entry can't be given that URL. */
function reasonToLeave(server: FoundServer, after: string, { allowLists, sharing, portable }: RemoteRules): Refusal | undefined {
  const place = placeRefusal(server.found.location);
  if (place !== undefined) return place;
  const before = server.entry.url ?? '';
  const forbidden = urlForbiddenBy(allowLists, { server: server.entry.name, clients: server.clients, before, after });
  if (forbidden !== undefined) return { reason: 'allow-list', detail: forbidden };
  const reason = sharing(server);
  const isShared = reason === 'shared' || (portable !== undefined && server.found.location.isShared === true);
  if (isShared) return { reason: 'shared-url' };
  return reason === undefined ? undefined : { reason };
}
