import { createDesktopNotifier, questionNotice, refusalNotice } from '../../approval/desktop.ts';
import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import type { ClosableApprover } from '../../approval/lazy-approver.ts';
import { QueueApprover } from '../../approval/queue-approver.ts';
import type { Recording } from '../../audit/lazy-stores.ts';
import type { Config } from '../../config/config.ts';
import type { Policy } from '../../core/policy/tables.ts';
import { SessionMemories } from '../../gate/session/session-memory.ts';
import { ValueProvenance } from '../../gate/session/value-provenance.ts';
import { MarkFiles } from '../../host/mark-files.ts';
import { showUrl } from '../../remote/remote-server.ts';
import type { LaunchIdentity } from '../../gate/ports/registry-port.ts';
import { ownAsker } from '../../session/asker.ts';
import { launchIdentity, remoteIdentity } from '../../session/ids.ts';
import { SqliteQuestions } from '../../store/approval-store.ts';
import { storeFile } from '../../store/private-file.ts';
import { createNotify } from '../notify/start-notify.ts';
import { keyOf, openStore } from './open-store.ts';

/** The identity of a server that a command starts, or that a URL leads to. */
export function identityOf(launch: readonly [string, ...string[]] | string): LaunchIdentity {
  return typeof launch === 'string' ? remoteIdentity(launch, showUrl(launch)) : launchIdentity(launch);
}

/** Creates the sink of this process's records, the stores that share its transactions, and the memories of its sessions. */
export function openSink(config: Config, warn: (line: string) => void): Recording {
  const { stateDir } = config;
  const { sink, stores } = openStore(config, { warn });
  return {
    sink,
    stores,
    memories: new SessionMemories({
      log: stores.sessionLog,
      createProvenance: () => new ValueProvenance(() => keyOf(stateDir, { warn, otherwise: NOT_FOLLOWED })),
      marks: new MarkFiles(stateDir, warn),
    }),
  };
}

const NOT_FOLLOWED = 'values of results are not followed to other servers';

/** Reads the key of the tokens that stand for secrets. */
export function tokenKey({ stateDir }: Config, warn: (line: string) => void): Uint8Array {
  return keyOf(stateDir, { warn, otherwise: 'secrets have other tokens after a restart' });
}

interface ApproverOptions {
  readonly config: Config;
  readonly session: () => string;
  /** Returns the current policy. */
  readonly policy: () => Policy;
  /** One line for the person who runs us. */
  readonly warn: (line: string) => void;
}

/** Creates the approver that asks a person for this process. No file is touched before the first question. */
export function openApprover({ config, session, policy, warn }: ApproverOptions): ClosableApprover {
  const { stateDir, audit } = config;
  const notify = createNotify(config);
  const key = keyFile(stateDir);
  const desktop = { env: process.env, elapsed: () => performance.now() };
  // Each notifier limits its notices: those about refusals must not use up the room of a call that waits.
  const [notifyAsked, notifyRefused] = [createDesktopNotifier(desktop), createDesktopNotifier(desktop)];
  return new QueueApprover({
    store: new SqliteQuestions({ file: storeFile(stateDir), sync: audit.sync }),
    key: () => readOrMakeKey(key),
    session,
    asker: ownAsker(),
    policy,
    notify: (question) => notifyAsked(questionNotice(question)),
    notifyOthers: notify,
    notifyRefused: (refused) => notifyRefused(refusalNotice(refused)),
    warn,
  });
}
