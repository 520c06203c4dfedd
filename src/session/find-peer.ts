import { findClientSession, givenName, givenSession, isKnownClient, type Session } from './session.ts';
import { findAgent, programName, programWords } from './find-agent.ts';
import { findClient } from './find-client.ts';
import { toSessionId } from './ids.ts';
import { lookAtProcesses, type ProcessInfo, readByPsLater, readLinuxVariables } from './processes.ts';
import { findRegisteredRun, findNamedSession } from './registered-runs.ts';

/** Programs that forward connections from anywhere, so their session is unknown. */
const FORWARDERS: ReadonlySet<string> = new Set(
  (
    'caddy docker-proxy envoy gvproxy haproxy kubectl mitmdump mitmproxy mitmweb nginx ngrok pasta passt rootlessport slirp4netns socat ' +
    'squid ssh sshd sshd-session stunnel tinyproxy traefik'
  ).split(' '),
);

/** The session of a connection whose client is a process of this machine. */
export interface Peer {
  /** Equal for all connections of one client's run. */
  readonly key: string;
  readonly session: Session;
}

/**
 * Finds the session of a process that has connected to us, by the same marks by which a proxy finds its own. Variables of the process count
 * only if an ancestor is that client: the process's own ones may come from another client that started it.
 *
 * @returns undefined if the process can't be inspected, has ended, or only forwards connections
 */
export async function findPeer(pid: number, runs: string): Promise<Peer | undefined> {
  const isLinux = process.platform === 'linux';
  const processes = isLinux ? lookAtProcesses() : { readProcess: await readByPsLater(), scope: '', stdin: undefined };
  const found = processes?.readProcess(pid);
  if (processes === undefined || found === undefined) return undefined;
  const { readProcess, scope } = processes;
  const env = isLinux ? readLinuxVariables(pid) : {};
  const given = givenName(env, () => {}) ?? findRegisteredRun(runs, pid, processes);
  if (given !== undefined) return { key: given, session: givenSession(given) };
  if (isForwarder(found)) return undefined;
  const isClient = findAgent(pid, readProcess, isKnownClient)?.pid === pid;
  const named = isClient ? undefined : findClientSession({ env, parent: pid, readProcess });
  const client = findClient({ parent: pid, readProcess, stdin: undefined });
  if (client === undefined) return undefined;
  const byProcess = named ?? toSessionId(scope, client.pid, client.started);
  const find = (): string => (named === undefined ? findNamedSession(runs, client, scope) : undefined) ?? byProcess;
  let current = find();
  return {
    key: byProcess,
    session: {
      id: () => current,
      isGiven: () => false,
      follow(findCurrent) {
        // A client may name its session after it connects here, or have switched to another one.
        current = findCurrent(find());
        return undefined;
      },
    },
  };
}

function isForwarder({ name, words }: ProcessInfo): boolean {
  return [name, ...programWords(words)].some((word) => FORWARDERS.has(programName(word)));
}
