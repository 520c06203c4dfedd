import { usageError } from '../command.ts';
import { homedir } from 'node:os';
import { LazyApprover } from '../../approval/lazy-approver.ts';
import { LazySink } from '../../audit/lazy-stores.ts';
import type { Config } from '../../config/config.ts';
import { LivePolicy } from '../../config/live-policy.ts';
import type { StartPolicy } from '../../config/start-policy.ts';
import { NATIVE_SERVER } from '../../core/call.ts';

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
import type { ServerProcess } from '../../transport/stdio/child-process.ts';
import { ENDING_SIGNALS } from '../../transport/stdio/ending.ts';
import { openStdout, runStdio } from '../../transport/stdio/stdio.ts';
import { createLiveOwnPaths, ownFiles } from '../machine/own-paths.ts';
import { lateImport } from './late-import.ts';

export interface ConnectionOptions {
  readonly server: ServerProcess;
  /** The words that started it; they name it where `name` doesn't. */
  readonly command: readonly [string, ...string[]];
  readonly name: string | undefined;
  /** The policy that decides first; changes of its files are followed. */
  readonly start: StartPolicy;
  readonly config: Config;
  /** Decide and record, and let everything pass. */
  readonly isObserving: boolean;
  /** One line for the person who runs us. */
  readonly warn: (line: string) => void;
}

/**
 * Holds a policy between the client on our stdin and stdout and a server that was just started.
 *
 * @returns the server's exit code
 */
export async function guardConnection({
  server,
  command,
  name,
  start,
  config,
  isObserving,
  warn,
}: ConnectionOptions): Promise<number> {
  const { env, platform } = process;
  const home = homedir();
  const cwd = process.cwd();
  const policy = new LivePolicy({ start, stateDir: config.stateDir, place: { cwd, home }, warn });
  const session = createSession({ env, runs: runsFolder(config.stateDir), warn });
  let identity: LaunchIdentity | undefined;
  const sink = new LazySink(async () => {
    const { launchIdentity, openSink } = await lateImport(() => import('./open-sink.ts'));
    identity = launchIdentity(command);
    // Looking at processes takes long on some systems. Within the first transaction, others would wait for it.
    session.id();
    return openSink(config, warn);
  });
  const { seenCalls, ...stores } = sink.stores;
  const seenCallsById = new SeenCallsById(seenCalls);
  const approver = new LazyApprover(async () =>
    (await lateImport(() => import('./open-sink.ts'))).openApprover({
      config,
      session: session.id,
      policy: () => policy.current().policy,
      warn,
    }),
  );
  const serverName = name ?? deriveServerName(command[0], command.slice(1));
  if (serverName === NATIVE_SERVER) {
    throw usageError(
      `no server may be called "${NATIVE_SERVER}": it is what the policy calls an agent's own tools`,
      'give it another name with --server',
    );
  }
  const former = name === undefined ? formerServerName(command[0], command.slice(1)) : undefined;
  if (former !== undefined && policy.current().policy.text.includes(JSON.stringify(former))) {
    warn(
      `this server is called ${JSON.stringify(serverName)}; older versions called it ${JSON.stringify(former)}, which your policy names: ` +
        `change it there, or start clawai with --server ${former}`,
    );
  }
  const own = createLiveOwnPaths({
    places: {
      env,
      platform,
      home,
      stateDir: config.stateDir,
      files: ownFiles(start, config),
    },
    style: pathStyle(platform),
    realPath,
    elapsed: () => performance.now(),
  });
  const gate = new Interceptor({
    server: serverName,
    identity: () => {
      if (identity === undefined) throw new Error('asked for before anything could be recorded');
      return identity;
    },
    policy,
    paths: { home, cwd, roots: serverRoots(command.slice(1), { cwd, home }), platform: pathStyle(platform), remote: false },
    own,
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
    server,
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
