import { randomBytes } from 'node:crypto';
import { createDesktopNotifier, questionNotice, refusalNotice } from '../../approval/desktop.ts';
import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import type { ClosableApprover } from '../../approval/lazy-approver.ts';
import { QueueApprover } from '../../approval/queue-approver.ts';
import { JsonlFile } from '../../audit/jsonl-file.ts';
import { lazyRegistry, lazySessionLog, type Recording } from '../../audit/lazy-stores.ts';
import { StoreSink } from '../../audit/store-sink.ts';
import type { Config } from '../../config/config.ts';
import type { Policy } from '../../core/policy/tables.ts';
import { KeyedSeenCalls } from '../../gate/model/seen-calls.ts';
import { SessionMemories } from '../../gate/session/session-memory.ts';
import { ValueProvenance } from '../../gate/session/value-provenance.ts';
import { MarkFiles } from '../../host/mark-files.ts';
import { ownAsker } from '../../session/asker.ts';
import { SqliteQuestions } from '../../store/approval-store.ts';
import { BucketRows } from '../../store/rows/bucket-rows.ts';
import { SqliteStore } from '../../store/sqlite-store.ts';
import { storeFile } from '../../store/private-file.ts';
import { VERSION } from '../machine/version.ts';

export { launchIdentity } from '../../session/ids.ts';

/** Creates the sink of this process's records, and the stores that share its transactions. No file is touched before the first one. */
export function openSink({ stateDir, audit, llm }: Config, warn: (line: string) => void): Recording {
  const { sync, retain, maxSize, jsonl } = audit;
  const store = new SqliteStore({
    file: storeFile(stateDir),
    writerVersion: VERSION,
    sync,
    retention: { retain, maxSize, bodies: llm.bodies?.retain },
  });
  const sessionLog = lazySessionLog((work) => store.inSessions(work));
  return {
    sink: new StoreSink({ store, copy: jsonl === undefined ? undefined : new JsonlFile(jsonl), warn }),
    stores: {
      registry: lazyRegistry((work) => store.inRegistry(work)),
      sessionLog,
      buckets: new BucketRows(store),
      seenCalls: new KeyedSeenCalls(
        (work) => store.inSeenCalls(work),
        () => keyOf(stateDir, { warn, otherwise: NOT_THE_SAME }),
      ),
    },
    memories: new SessionMemories({
      log: sessionLog,
      createProvenance: () => new ValueProvenance(() => keyOf(stateDir, { warn, otherwise: NOT_FOLLOWED })),
      marks: new MarkFiles(stateDir, warn),
    }),
  };
}

const NOT_FOLLOWED = 'values of results are not followed to other servers';
const NOT_THE_SAME = 'a call of a model is not known where the agent makes it';

interface KeyOptions {
  readonly warn: (line: string) => void;
  /** The effect of having no shared key, for the warning. */
  readonly otherwise: string;
}

/** Reads the shared key. Without it, other processes can't recognise what this one sees: that is warned about, and denies nothing. */
function keyOf(stateDir: string, { warn, otherwise }: KeyOptions): Uint8Array {
  try {
    return readOrMakeKey(keyFile(stateDir));
  } catch (error) {
    warn(`${otherwise}: ${error instanceof Error ? error.message : String(error)}`);
    return randomBytes(32);
  }
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
export function openApprover({ config: { stateDir, audit }, session, policy, warn }: ApproverOptions): ClosableApprover {
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
    notifyRefused: (refused) => notifyRefused(refusalNotice(refused)),
    warn,
  });
}
