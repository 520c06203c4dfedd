import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { LazyApprover } from '../../approval/lazy-approver.ts';
import { loadConfig } from '../../config/config-file.ts';
import { LivePolicy } from '../../config/live-policy.ts';
import { findPolicy } from '../../config/policy-file.ts';
import { loadStartPolicy } from '../../config/start-policy.ts';
import type { Policy } from '../../core/policy/tables.ts';
import { HookGate } from '../../gate/hook/hook-gate.ts';
import { SeenCallsById } from '../../gate/model/seen-calls.ts';
import { machineClock } from '../../host/machine.ts';
import { pathStyle, realPath } from '../../host/paths.ts';
import { denialBy, type HookAnswer, type HookClient, NO_OPINION } from '../../protocol/hooks/hook-client.ts';
import { readHookCall } from '../../protocol/hooks/read-hook-call.ts';
import { createRecordIds } from '../../session/ids.ts';
import { runsFolder } from '../../session/registered-runs.ts';
import { createSession } from '../../session/session.ts';
import { noteHookSeen } from '../../wrap/hooks/hook-seen.ts';
import { createLiveOwnPaths, hooksFolder, ownFiles } from '../machine/own-paths.ts';
import { openStore } from '../proxy/open-store.ts';
import { readStdin } from './read-stdin.ts';

/** Milliseconds before the deadline at which a person is not waited for any more. */
const LAST_WORDS = 1000;

interface JudgeOptions {
  readonly client: HookClient;
  /** On the clock of `performance.now`, milliseconds. */
  readonly deadline: number;
  /** The files as they were typed. */
  readonly policy: string | undefined;
  readonly config: string | undefined;
}

/**
 * Reads the call on stdin and decides it.
 *
 * @throws ClawaiError and others; then the call must be denied
 */
export async function judgeHook({ client, deadline, ...files }: JudgeOptions): Promise<HookAnswer> {
  const { env, platform } = process;
  const home = homedir();
  const machine = { env, platform, home };
  const config = await loadConfig({ flag: files.config, ...machine });
  const call = readHookCall(await readStdin(config.limits.message), client);
  noteHookSeen(hooksFolder(machine), client.id);
  const project = env[client.projectVariable ?? ''] ?? '';
  const place = { cwd: isAbsolute(project) ? project : process.cwd(), home };
  const start = await loadStartPolicy({
    found: findPolicy({ flag: files.policy, ...machine }),
    stateDir: config.stateDir,
    place,
  });
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);
  const policy = new LivePolicy({ start, stateDir: config.stateDir, place, warn });
  const session = createSession({ env, runs: runsFolder(config.stateDir), warn });
  // Finding it reads processes, which takes long on some systems. In a transaction, other processes would wait for it.
  session.id();
  const { sink, stores } = openStore(config, { warn, isBrief: true });
  const { seenCalls, ...shared } = stores;
  const seenCallsById = new SeenCallsById(seenCalls);
  // A question must be over before the client's patience is.
  const patience = Math.max(0, Math.floor(deadline - LAST_WORDS - performance.now()));
  const approver = new LazyApprover(async () =>
    (await import('../proxy/open-ports.ts')).openApprover({
      config,
      session: session.id,
      policy: () => within(policy.current().policy, patience),
      warn,
    }),
  );
  const style = pathStyle(platform);
  const gate = new HookGate({
    policy,
    paths: {
      home,
      cwd: call.cwd !== undefined && isAbsolute(call.cwd) ? call.cwd : process.cwd(),
      roots: [],
      platform: style,
      remote: false,
    },
    own: createLiveOwnPaths({ env, platform, home, stateDir: config.stateDir, files: ownFiles(start, config) }),
    isObserving: config.mode === 'observe',
    maxDepth: config.limits.depth,
    onError: config.onError,
    ports: {
      clock: machineClock,
      realPath,
      approver,
      sink,
      ...shared,
      memories: () => {
        throw new Error('a hook follows no values');
      },
      seenCalls: () => (session.isGiven() ? seenCalls : seenCallsById),
      recordId: createRecordIds(),
      session: session.id,
      followSession: session.follow,
      warn,
    },
  });
  try {
    const why = await gate.judge(call, client, new AbortController().signal);
    return why === undefined ? NO_OPINION : denialBy(client, [why, ...warnings.map((line) => `(clawai: ${line})`)].join('\n'));
  } finally {
    approver.close();
    await gate.finish();
  }
}

/** The policy, with no more time for a person's answer than the client gives. */
function within(policy: Policy, most: number): Policy {
  const { approval } = policy;
  return { ...policy, approval: { ...approval, timeout: Math.min(approval.timeout, most) } };
}
