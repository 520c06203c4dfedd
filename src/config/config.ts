import { stateDirectory, type Machine } from '../host/directories.ts';

/** How clawai runs, every setting resolved. What is allowed is not here but in the policy. */
export interface Config {
  /** `observe`: decide and record, and let everything pass. */
  readonly mode: 'enforce' | 'observe';
  /** What becomes of a call that can't be decided or recorded. */
  readonly onError: 'deny' | 'allow';
  /** Absolute path of the folder in which clawai keeps what it remembers. */
  readonly stateDir: string;
  readonly store: 'sqlite';
  readonly limits: {
    /** Bytes that a message may have. */
    readonly message: number;
    /** Objects and arrays that may lie inside each other in a message. */
    readonly depth: number;
  };
  readonly audit: {
    /** What an event that was recorded survives: `normal` the end of any process, `full` also that of the machine. */
    readonly sync: 'normal' | 'full';
    /** Milliseconds for which events are kept. */
    readonly retain: number;
    /** Bytes that the events may take. */
    readonly maxSize: number;
    /** Absolute path of a file that gets each event as a JSON line; undefined: none. */
    readonly jsonl: string | undefined;
    readonly log: 'decisions';
  };
  /** The file that was read; undefined where there is none, and all settings are the defaults. */
  readonly file: string | undefined;
  /** The settings that the file makes; all others are the defaults. */
  readonly fromFile: ReadonlySet<Setting>;
}

/** A setting by its place in the file. */
export type Setting =
  | 'mode'
  | 'on_error'
  | 'state_dir'
  | 'store'
  | 'limits.message'
  | 'limits.depth'
  | 'audit.sync'
  | 'audit.retain'
  | 'audit.max_size'
  | 'audit.jsonl'
  | 'audit.log';

const MIB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

/** The config of a user who wrote none. */
export function defaultConfig(machine: Machine): Config {
  return {
    mode: 'enforce',
    onError: 'deny',
    stateDir: stateDirectory(machine),
    store: 'sqlite',
    // More than SDK clients take, which give up at 10 MiB; deeper than any schema that a person writes.
    limits: { message: 32 * MIB, depth: 128 },
    audit: { sync: 'normal', retain: 90 * DAY, maxSize: 1024 * MIB, jsonl: undefined, log: 'decisions' },
    file: undefined,
    fromFile: new Set(),
  };
}
