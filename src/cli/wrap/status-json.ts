import { isoTime } from '../terminal/layout.ts';
import { problemOf as problemOfPolicy } from '../../config/describe-change.ts';
import { routeUrl, showUrl } from '../../remote/remote-server.ts';
import { providerUrl } from '../../remote/served-provider.ts';
import { loginJson } from '../login/login-state.ts';
import { VERSION } from '../machine/version.ts';
import type { RefusedEntry } from '../mcp/registry/refused-entries.ts';
import { prettyJson } from '../terminal/text.ts';
import type { PolicyInForce } from './policies-in-force.ts';
import { groupWays } from './ways-out.ts';
import { isOfConfig, isOpen, type Standing, type Standings } from './wrap-standing.ts';

interface BesideStandings {
  /** The words that start this clawai. */
  readonly launcher: readonly string[];
  readonly refused: readonly RefusedEntry[];
  readonly policies: readonly PolicyInForce[];
  readonly hooks: readonly object[];
}

/** Formats the status for programs. Times are ISO 8601. */
export function statusJson(
  { files, store, storeError, isObserving, remote }: Standings,
  { launcher, refused, policies, hooks }: BesideStandings,
): string {
  const shown = files.map(({ file, realFile, clients, servers, error, problems, isRecordDamaged }) => ({
    file,
    real_file: realFile,
    clients,
    error: error === undefined ? null : { code: error.code, message: error.message },
    problems,
    record_damaged: isRecordDamaged,
    servers: servers.map((server) => ({
      server: server.server,
      pointer: server.pointer,
      scope: server.scope,
      clients: server.clients,
      state: server.state,
      counts_as_unwrapped: isOpen(server),
      weakness: server.weakness ?? null,
      obstacle: server.obstacle ?? null,
      commands: groupWays([server]).flatMap(({ commands }) => commands),
      disabled: server.isDisabled,
      current: server.isCurrent,
      policy: server.policy ?? null,
      ...urlsOf(server),
      last_seen: isoTime(server.lastSeen),
      seen_by_other: server.seenBy === undefined ? null : { client: server.seenBy.client, time: isoTime(server.seenBy.time) },
      denied: server.refusal ?? null,
    })),
  }));
  const { serving, servers, providers, logins, origin } = remote;
  const json = {
    version: VERSION,
    launcher,
    store: store ?? null,
    observing: isObserving,
    config_error:
      storeError !== undefined && isOfConfig(storeError) ? { code: storeError.code, message: problemOfPolicy(storeError) } : null,
    policies: policies.map(({ scope, file, isShipped, fault }) => ({
      scope,
      file: file ?? null,
      shipped: isShipped,
      error: fault ?? null,
    })),
    serve: {
      running: serving.kind === 'running',
      url: serving.kind === 'running' ? serving.record.url : null,
      pid: serving.kind === 'running' ? serving.record.pid : null,
    },
    remote_servers: servers.map(({ name, url, secret, group }) => ({
      server: name,
      group,
      local_url: origin === undefined || secret === undefined ? null : routeUrl(origin, { name, secret }),
      url: showUrl(url),
    })),
    logins: logins.map(loginJson),
    llm_providers: providers.map(({ name, baseUrl, secret }) => ({
      provider: name,
      local_url: origin === undefined || secret === undefined ? null : providerUrl(origin, { name, secret }),
      url: showUrl(baseUrl),
    })),
    refused: refused.map(({ server, kind, name, became, why, command }) => ({ server, kind, name, became, why, command })),
    files: shown,
    hooks,
  };
  return prettyJson(json);
}

/** The URL that its client uses, and the one that `clawai serve` uses. */
function urlsOf({ url, upstream, state }: Standing): { readonly url: string | null; readonly upstream: string | null } {
  const isOurs = state === 'wrapped' || state === 'unrecorded';
  return {
    url: url === undefined ? null : isOurs ? url : showUrl(url),
    upstream: upstream === undefined ? null : showUrl(upstream),
  };
}
