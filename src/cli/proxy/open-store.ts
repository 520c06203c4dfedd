import { randomBytes } from 'node:crypto';
import { keyFile, readOrMakeKey } from '../../approval/key-file.ts';
import { JsonlFile } from '../../audit/jsonl-file.ts';
import { lazyRegistry, lazySessionLog, type Recording } from '../../audit/lazy-stores.ts';
import { StoreSink } from '../../audit/store-sink.ts';
import type { Config } from '../../config/config.ts';
import { KeyedSeenCalls } from '../../gate/model/seen-calls.ts';
import { BucketRows } from '../../store/rows/bucket-rows.ts';
import { SqliteStore } from '../../store/sqlite-store.ts';
import { storeFile } from '../../store/private-file.ts';
import { VERSION } from '../machine/version.ts';
import { createNotify } from '../notify/start-notify.ts';

const NOT_THE_SAME = 'a call of a model is not known where the agent makes it';

interface StoreOptions {
  readonly warn: (line: string) => void;
  /** True for a process that ends after a call. */
  readonly isBrief?: boolean;
}

/** Creates the sink of this process's records, and the stores that share its transactions. No file is touched before the first one. */
export function openStore(config: Config, { warn, isBrief = false }: StoreOptions): Omit<Recording, 'memories'> {
  const { stateDir, llm } = config;
  const { sync, retain, maxSize, jsonl } = config.audit;
  const store = new SqliteStore({
    file: storeFile(stateDir),
    writerVersion: VERSION,
    sync,
    retention: { retain, maxSize, bodies: llm.bodies?.retain },
    isBrief,
  });
  return {
    sink: new StoreSink({
      store,
      copy: jsonl === undefined ? undefined : new JsonlFile(jsonl),
      notify: createNotify(config),
      warn,
    }),
    stores: {
      registry: lazyRegistry((work) => store.inRegistry(work)),
      sessionLog: lazySessionLog((work) => store.inSessions(work)),
      buckets: new BucketRows(store),
      seenCalls: new KeyedSeenCalls(
        (work) => store.inSeenCalls(work),
        () => keyOf(stateDir, { warn, otherwise: NOT_THE_SAME }),
      ),
    },
  };
}

interface KeyOptions {
  readonly warn: (line: string) => void;
  /** The effect of having no shared key, for the warning. */
  readonly otherwise: string;
}

/** Reads the shared key. Without it, other processes can't recognise what this one sees: that is warned about, and denies nothing. */
export function keyOf(stateDir: string, { warn, otherwise }: KeyOptions): Uint8Array {
  try {
    return readOrMakeKey(keyFile(stateDir));
  } catch (error) {
    warn(`${otherwise}: ${error instanceof Error ? error.message : String(error)}`);
    return randomBytes(32);
  }
}
