import { createDesktopNotifier, questionNotice, refusalNotice } from '../../approval/desktop.ts';
import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import type { ClosableApprover } from '../../approval/late-approver.ts';
import { QueueApprover } from '../../approval/queue-approver.ts';
import type { Config } from '../../config/config.ts';
import type { Policy } from '../../core/policy/types.ts';
import { ownAsker } from '../../session/asker.ts';
import { SqliteQuestions } from '../../store/approval-store.ts';
import { storeFile } from '../../store/store-file.ts';

export interface ApproverOptions {
  readonly config: Config;
  readonly session: () => string;
  /** The policy of this moment. */
  readonly policy: () => Policy;
  /** One line for the person who runs us. */
  readonly warn: (line: string) => void;
}

/** What asks a person for this process, as policy and configuration say. Nothing is touched yet. */
export function openApprover({ config: { stateDir, audit }, session, policy, warn }: ApproverOptions): ClosableApprover {
  const key = keyFile(stateDir);
  const desktop = { env: process.env, elapsed: () => performance.now() };
  // One of each: what is refused must not take the place of a call that waits.
  const [notifyAsked, notifyRefused] = [createDesktopNotifier(desktop), createDesktopNotifier(desktop)];
  return new QueueApprover({
    store: new SqliteQuestions({ file: storeFile(stateDir), sync: audit.sync }),
    key: () => readOrMakeKey(key),
    session,
    asker: ownAsker(),
    policy,
    notify: (question) => notifyAsked(questionNotice(question)),
    notifyRefused: (refused) => notifyRefused(refusalNotice(refused)),
    warn,
  });
}
