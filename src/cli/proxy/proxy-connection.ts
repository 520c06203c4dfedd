import { usageError } from '../command.ts';
import { homedir } from 'node:os';
import { LazyApprover } from '../../approval/lazy-approver.ts';
import { LazySink } from '../../audit/lazy-stores.ts';
import type { Config } from '../../config/config.ts';
import { LivePolicy } from '../../config/live-policy.ts';
import type { StartPolicy } from '../../config/start-policy.ts';
import { NATIVE_SERVER } from '../../core/call.ts';
import { secretsOfEnvironment } from '../../core/outgoing/known-secrets.ts';
import { Interceptor } from '../../gate/interceptor.ts';
import { SeenCallsById } from '../../gate/model/seen-calls.ts';
import type { LaunchIdentity } from '../../gate/ports/registry-port.ts';
import { machineClock } from '../../host/machine.ts';
import { pathStyle, realPath, serverRoots } from '../../host/paths.ts';
import { createHeapLimit } from '../../host/small-heap.ts';
import { createRecordIds } from '../../session/ids.ts';
import { runsFolder } from '../../session/registered-runs.ts';
import { deriveServerName, formerServerName } from '../../session/server-name.ts';
import { createSession } from '../../session/session.ts';
import { EraBridge } from '../../transport/bridge/era-bridge.ts';
import type { ServerProcess } from '../../transport/stdio/child-process.ts';
import { ENDING_SIGNALS } from '../../transport/stdio/ending.ts';
import { openStdout, runStdio } from '../../transport/stdio/stdio.ts';
import { createLiveOwnPaths, ownFiles } from '../machine/own-paths.ts';
import { lazyImport } from './lazy-import.ts';

export interface ConnectionOptions {
  readonly server: ServerProcess;
  /** The program that was started, and its arguments; or the URL of a remote server, which must have a name. */
  readonly launch: readonly [string, ...string[]] | string;
  /** The server's name in the policy; by default, it comes from the program. */
  readonly name: string | undefined;
  /** The policy at the start; it is reloaded when its files change. */
  readonly start: StartPolicy;
  readonly config: Config;
  /** Decide and record, and let everything pass. */
  readonly isObserving: boolean;
  /** The client speaks only the modern era of MCP. */
  readonly isModernOnly: boolean;
  /** One line for the person who runs us. */
  readonly warn: (line: string) => void;
}

/**
 * Builds the gate between the client on our stdin and stdout and a server that was just started, and relays until one of them ends.
 *
 * @returns the server's exit code
 * @throws ClawaiError `usage` if the server may not have its name, `command_*` if it could not be started
 */
export async function guardConnection({
  server,
  launch,
  name,
  start,
  config,
  isObserving,
  isModernOnly,
  warn,
}: ConnectionOptions): Promise<number> {
  const { env, platform } = process;
  const home = homedir();
  const cwd = process.cwd();
  const isRemote = typeof launch === 'string';
  const policy = new LivePolicy({ start, stateDir: config.stateDir, place: { cwd, home }, warn });
  const session = createSession({ env, runs: runsFolder(config.stateDir), warn });
  let identity: LaunchIdentity | undefined;
  const sink = new LazySink(async () => {
    const { identityOf, openSink } = await lazyImport(() => import('./open-ports.ts'));
    identity = identityOf(launch);
    // Finding the session reads processes, which takes long on some systems. In the first transaction, other processes would wait for it.
    session.id();
    return openSink(config, warn);
  });
  const { seenCalls, ...stores } = sink.stores;
  const seenCallsById = new SeenCallsById(seenCalls);
  const approver = new LazyApprover(async () =>
    (await lazyImport(() => import('./open-ports.ts'))).openApprover({
      config,
      session: session.id,
      policy: () => policy.current().policy,
      warn,
    }),
  );
  const serverName = nameServer({ name, launch, warn }, policy.current().policy.text);
  const own = createLiveOwnPaths({ env, platform, home, stateDir: config.stateDir, files: ownFiles(start, config) });
  const gate = new Interceptor({
    server: serverName,
    identity: () => {
      if (identity === undefined) throw new Error('asked for before anything could be recorded');
      return identity;
    },
    policy,
    paths: {
      home,
      cwd,
      roots: isRemote ? [] : serverRoots(launch.slice(1), { cwd, home }),
      platform: pathStyle(platform),
      remote: isRemote,
    },
    own,
    ownSecrets: () => secretsOfEnvironment(env),
    isObserving,
    maxDepth: config.limits.depth,
    onError: config.onError,
    ports: {
      clock: machineClock,
      realPath,
      approver,
      sink,
      ...stores,
      memories: sink.memories,
      // The LLM proxy has the same session only if somebody has named it.
      seenCalls: () => (session.isGiven() ? seenCalls : seenCallsById),
      recordId: createRecordIds(),
      session: session.id,
      followSession: session.follow,
      warn,
    },
  });
  let isHurried = false;
  for (const signal of ENDING_SIGNALS) process.once(signal, () => (isHurried = true));
  const code = await runStdio({
    server: new EraBridge({ server, input: process.stdin, limits: config.limits, isModernOnly, warn }),
    gate,
    input: process.stdin,
    output: openStdout(),
    maxMessage: config.limits.message,
    heap: createHeapLimit(),
  });
  await gate.finish(isHurried);
  approver.close();
  return code;
}

/** Names the server, and warns if the policy still has the name that an older version derived. */
function nameServer({ name, launch, warn }: Pick<ConnectionOptions, 'name' | 'launch' | 'warn'>, policyText: string): string {
  const [program, ...args] = typeof launch === 'string' ? ([launch] as const) : launch;
  const serverName = name ?? deriveServerName(program, args);
  if (serverName === NATIVE_SERVER) {
    throw usageError(
      `no server may be called "${NATIVE_SERVER}": it is what the policy calls an agent's own tools`,
      'give it another name with --server',
    );
  }
  const former = name === undefined ? formerServerName(program, args) : undefined;
  if (former !== undefined && policyText.includes(JSON.stringify(former))) {
    warn(
      `this server is called ${JSON.stringify(serverName)}; older versions called it ${JSON.stringify(former)}, which your policy names: ` +
        `change it there, or start clawai with --server ${former}`,
    );
  }
  return serverName;
}
