import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../host/atomic-write.ts';
import { codeOf, toDiskError } from '../../host/disk.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';
import { sha256 } from '../files/state-folder.ts';
import { isObject } from '../files/state-record.ts';

/** The record of one file that has our hook. */
export interface HookRecord {
  readonly format: 1;
  readonly client: string;
  /** Real path. */
  readonly file: string;
  /** Its bytes from before, in base64; null if it was not there, undefined if somebody else has written it since, or nobody knows. */
  readonly before?: string | null | undefined;
  /** SHA-256 of the bytes that we wrote; during a change, of those before and after. */
  readonly ours: readonly string[];
  /** ISO 8601. */
  readonly time: string;
  readonly version: string;
}

/** The folder with a record of each file that has our hook, so that it gets its bytes back. Only the user can read it. */
export class HookRecords {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** A damaged record counts as none. */
  list(): readonly HookRecord[] {
    return this.#names().flatMap((name) => this.#read(join(this.path, name)) ?? []);
  }

  find(file: string): HookRecord | undefined {
    return this.#read(this.#fileOf(file));
  }

  /** @throws ClawaiError `wrap_state_unwritable` */
  write(record: HookRecord): void {
    const file = this.#fileOf(record.file);
    try {
      makePrivateFolder(this.path);
      writeAtomically(file, Buffer.from(`${JSON.stringify(record, undefined, 2)}\n`), { mode: 0o600 });
    } catch (error) {
      throw toDiskError(error, { file, failure: 'cannot be written', code: 'wrap_state_unwritable' });
    }
  }

  remove(file: string): void {
    rmSync(this.#fileOf(file), { force: true });
  }

  #fileOf(file: string): string {
    return join(this.path, `${sha256(file).slice(0, 32)}.json`);
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.path).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw toDiskError(error, { file: this.path, failure: 'cannot be read', code: 'wrap_state_unwritable' });
    }
  }

  #read(path: string): HookRecord | undefined {
    try {
      const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
      return isRecord(value) && this.#fileOf(value.file) === path ? value : undefined;
    } catch {
      // There is none, or it is cut off: the hook can be removed without it.
      return undefined;
    }
  }
}

function isRecord(value: unknown): value is HookRecord {
  return (
    isObject(value) &&
    value['format'] === 1 &&
    ['client', 'file', 'time', 'version'].every((key) => typeof value[key] === 'string') &&
    (value['before'] === undefined || value['before'] === null || typeof value['before'] === 'string') &&
    Array.isArray(value['ours']) &&
    value['ours'].every((hash) => typeof hash === 'string')
  );
}
