import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ResultMarks } from '../gate/ports/session-port.ts';
import { codeOf } from './disk.ts';
import { makePrivateFolder } from './make-folder.ts';

/** Milliseconds after which an unrenewed mark no longer counts: its process has died. */
const TOO_OLD = 10_000;

/** Milliseconds between renewals, since reading a large result takes long, and the most that a mark is renewed for. */
const RENEW_EVERY = 3000;
const MOST_RENEWED = 60_000;

/** Hexadecimal digits that identify a session, and a process. */
const DIGITS = 16;

/**
 * Keeps marks as empty files in a folder beside the store. All processes see a file as soon as it is created, whoever holds the store. Its
 * time shows when the mark of a dead process no longer counts.
 */
export class MarkFiles implements ResultMarks {
  readonly #folder: string;
  readonly #warn: (line: string) => void;
  readonly #process = randomBytes(DIGITS / 2).toString('hex');
  /** This process's marks, with the time of each. */
  readonly #own = new Map<string, number>();
  #renewing: NodeJS.Timeout | undefined;
  #last = 0;
  #hasWarned = false;
  /** Cache for the session asked for last. */
  #named = { session: '', prefix: '' };

  constructor(stateDirectory: string, warn: (line: string) => void) {
    this.#folder = join(stateDirectory, 'results');
    this.#warn = warn;
  }

  add(session: string): () => void {
    const file = join(this.#folder, `${this.#prefixOf(session)}${this.#process}.${++this.#last}`);
    try {
      make(file);
      if (this.#last === 1) this.#removeOld();
    } catch (error) {
      if (!this.#hasWarned) this.#warn(`other processes may decide before they know the values in a result: ${String(error)}`);
      this.#hasWarned = true;
      return () => {};
    }
    this.#own.set(file, Date.now());
    this.#renewing ??= setInterval(() => this.#renew(), RENEW_EVERY).unref();
    return () => {
      remove(file);
      if (!this.#own.delete(file) || this.#own.size > 0) return;
      clearInterval(this.#renewing);
      this.#renewing = undefined;
    };
  }

  others(session: string): readonly string[] {
    const prefix = this.#prefixOf(session);
    const own = `${prefix}${this.#process}`;
    return namesIn(this.#folder).filter((name) => name.startsWith(prefix) && !name.startsWith(own) && this.#counts(name));
  }

  #renew(): void {
    const now = new Date();
    for (const [file, since] of this.#own) if (Math.abs(now.getTime() - since) < MOST_RENEWED) renew(file, now);
  }

  /** Removes expired marks of other processes, whatever their session. */
  #removeOld(): void {
    for (const name of namesIn(this.#folder)) this.#counts(name);
  }

  #counts(name: string): boolean {
    const file = join(this.#folder, name);
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    // A clock that was set back must not make a mark count for ever.
    const isOld = made !== undefined && Math.abs(Date.now() - made) > TOO_OLD;
    if (isOld) remove(file);
    return made !== undefined && !isOld;
  }

  /** Hashes the session's name, so that the file does not reveal it. */
  #prefixOf(session: string): string {
    if (this.#named.session !== session) {
      this.#named = { session, prefix: `${createHash('sha256').update(session).digest('hex').slice(0, DIGITS)}.` };
    }
    return this.#named.prefix;
  }
}

function make(file: string): void {
  const open = (): number => openSync(file, 'wx', 0o600);
  try {
    closeSync(open());
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    makePrivateFolder(dirname(file));
    closeSync(open());
  }
}

function renew(file: string, now: Date): void {
  try {
    utimesSync(file, now, now);
  } catch {
    // Another process removed the expired mark, e.g. after the machine slept; it decides without it.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Nobody has made a mark so far.
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // The file is gone, or expires soon.
  }
}
