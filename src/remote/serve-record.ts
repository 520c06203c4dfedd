import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../host/atomic-write.ts';
import { toDiskError } from '../host/disk-error.ts';
import { makePrivateFolder } from '../host/private-folder.ts';

/** What a running `clawai serve` says of itself, for the other commands of its user. */
export interface ServeRecord {
  readonly pid: number;
  /** When it was started, ISO 8601. */
  readonly started: string;
  /** Another one at each start; it tells the process from any other that has come to its port. */
  readonly id: string;
  /** The origin at which it is reached, e.g. `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Of its clawai. */
  readonly version: string;
  /** Absolute path of the file with the token that every request has to bring; absent where none has to. */
  readonly tokenFile?: string;
}

/** Where the record of the one that runs is, in the folder of the state. */
export function serveRecordFile(stateDir: string): string {
  return join(stateDir, 'serve.json');
}

/**
 * Writes the record, in place of whatever was there.
 *
 * @returns removes it if it is still this one; never throws
 * @throws ClawaiError `remote_state_unusable`
 */
export function writeServeRecord(stateDir: string, record: ServeRecord): () => void {
  const file = serveRecordFile(stateDir);
  try {
    makePrivateFolder(stateDir);
    writeAtomically(file, Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`), { mode: 0o600 });
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be written', code: 'remote_state_unusable' });
  }
  return () => {
    try {
      if (readServeRecord(stateDir)?.id === record.id) rmSync(file, { force: true });
    } catch {
      // A record of a process that is gone is recognised as such.
    }
  };
}

/** The record; undefined where there is none, or none that can be relied on. Never throws. */
export function readServeRecord(stateDir: string): ServeRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(serveRecordFile(stateDir), 'utf8'));
    return isServeRecord(value) ? value : undefined;
  } catch {
    // None, not for us to read, or not ours: each means that nothing is known to run.
    return undefined;
  }
}

function isServeRecord(value: unknown): value is ServeRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, started, id, url, version, tokenFile } = value as Readonly<Record<string, unknown>>;
  return (
    Number.isSafeInteger(pid) &&
    typeof started === 'string' &&
    typeof id === 'string' &&
    id !== '' &&
    typeof url === 'string' &&
    isOrigin(url) &&
    typeof version === 'string' &&
    (tokenFile === undefined || typeof tokenFile === 'string')
  );
}

/** It is put in front of paths in clients' configs. */
function isOrigin(url: string): boolean {
  return /^https?:/.test(url) && URL.canParse(url) && new URL(url).origin === url;
}
