import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { flushFolder, writeAtomically } from '../../host/atomic-write.ts';
import { type Checkpoint, codeOf, NO_CHECKPOINT, toDiskError } from '../../host/disk.ts';
import { makePrivateFolder } from '../../host/make-folder.ts';
import { type FileRecord, formatFileRecord, parseFileRecord } from './state-record.ts';

/** The result of reading a file's record. `damaged`: it exists but is not valid. */
export type FoundRecord =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'record'; readonly record: FileRecord };

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

const README = 'README.txt';
const HOW_TO_GET_BACK = `Here clawai keeps what it changed in the configs of your MCP clients.

\`clawai unwrap --all\` puts everything back, and is the best way: it also works where you, or a client,
edited a config since. Without clawai, by hand, for each file here that ends in .json:

1. Open it. "file" is the config that was changed. Quit the client that reads it.
2. If nobody edited that config since, copy the file here whose name begins as this one's and ends in
   .original over it: those are the bytes that it had before the first change. For example:
       cp 0123….89ab….original ~/.cursor/mcp.json
3. If it was edited since, open it instead. Each of "entries" is one server: "pointer" is where it stands in the
   config, and "original" what it was started by, the command first and then its arguments; of a remote server it is the
   URL. Give the server that command and these arguments, or that URL, again.

These files may hold secrets, since configs do. When the configs are as they were, remove this folder.
`;

/** SHA-256 in hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * The folder with records of the configs that clawai changed; only the user can read it. Each config has a record named after its
 * real path, `<id>.json`, and its bytes from before the first change, `<id>.<digits of their hash>.original`.
 */
export class StateFolder {
  readonly path: string;
  readonly #checkpoint: Checkpoint;

  constructor(path: string, checkpoint: Checkpoint = NO_CHECKPOINT) {
    this.path = path;
    this.#checkpoint = checkpoint;
  }

  /** Creates the folder if needed. @throws ClawaiError `wrap_state_unwritable` */
  prepare(): void {
    this.#run(this.path, 'cannot be created', () => {
      makePrivateFolder(this.path);
      if (process.platform !== 'win32' && (lstatSync(this.path).mode & 0o077) !== 0) chmodSync(this.path, PRIVATE_FOLDER);
    });
  }

  /** @throws ClawaiError `wrap_state_unwritable` if the record exists but can't be read */
  read(realFile: string): FoundRecord {
    if (this.#names().length === 0) return { kind: 'none' };
    return this.#readRecord(this.#recordFile(realFile), realFile);
  }

  /** Lists all valid records, the files of damaged ones, and the names of all files in the folder. */
  list(): { readonly records: readonly FileRecord[]; readonly damaged: readonly string[]; readonly names: readonly string[] } {
    const records: FileRecord[] = [];
    const damaged: string[] = [];
    const names = this.#names();
    for (const name of names) {
      if (!/^[0-9a-f]{32}\.json$/.test(name)) continue;
      const found = this.#readRecord(join(this.path, name));
      if (found.kind === 'record') records.push(found.record);
      else if (found.kind === 'damaged') damaged.push(join(this.path, name));
    }
    return { records, damaged, names };
  }

  /** Writes a record; it is safe on disk when this returns. A damaged one is kept under another name. */
  write(record: FileRecord): void {
    const file = this.#recordFile(record.file);
    this.#run(file, 'cannot be written', () => {
      this.#explain();
      if (this.read(record.file).kind === 'damaged') renameSync(file, `${file}.damaged-${Date.now()}`);
      this.#put(file, Buffer.from(formatFileRecord(record)), 'record');
    });
  }

  /** Keeps a config's bytes from before the first change, unless they are already kept. */
  keepPristine(realFile: string, bytes: Uint8Array): void {
    const file = this.#pristineFile(realFile, sha256(bytes));
    this.#run(file, 'cannot be written', () => {
      if (!existsSync(file)) this.#put(file, bytes, 'pristine');
    });
  }

  /** Returns the bytes from before the first change; undefined if they are missing or were changed. */
  readPristine({ file, pristine }: FileRecord): Buffer | undefined {
    try {
      const bytes = readFileSync(this.#pristineFile(file, pristine));
      return sha256(bytes) === pristine ? bytes : undefined;
    } catch {
      // Somebody removed them; each value can still be restored separately.
      return undefined;
    }
  }

  /** Removes what is kept of a config that contains nothing of ours any more. */
  remove(realFile: string): void {
    this.#run(this.#recordFile(realFile), 'cannot be removed', () => {
      this.#checkpoint('record:remove');
      rmSync(this.#recordFile(realFile), { force: true });
      this.#checkpoint('pristine:remove');
      this.removePristine(realFile);
      // Whoever removes a record holds the lock.
      if (this.#names().every((name) => name === README || name === 'lock')) rmSync(join(this.path, README), { force: true });
      flushFolder(this.path);
    });
  }

  /** Removes copies of a config's bytes, except those with this hash. */
  removePristine(realFile: string, except?: string): void {
    const keep = except === undefined ? undefined : this.#pristineFile(realFile, except);
    for (const name of this.#names()) {
      const path = join(this.path, name);
      if (name.startsWith(`${idOf(realFile)}.`) && name.endsWith('.original') && path !== keep) rmSync(path, { force: true });
    }
  }

  /** Writes a README for a user who has no clawai any more. */
  #explain(): void {
    const file = join(this.path, README);
    if (!existsSync(file)) this.#put(file, Buffer.from(HOW_TO_GET_BACK), 'readme');
  }

  #put(file: string, bytes: Uint8Array, what: string): void {
    writeAtomically(file, bytes, { mode: PRIVATE_FILE, checkpoint: (step) => this.#checkpoint(`${what}:${step}`) });
  }

  #readRecord(path: string, realFile?: string): FoundRecord {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { kind: 'none' };
      throw toDiskError(error, { file: path, failure: 'cannot be read', code: 'wrap_state_unwritable' });
    }
    const record = parseFileRecord(text);
    const isRight =
      record !== undefined && (realFile === undefined ? idOf(record.file) === path.slice(-37, -5) : record.file === realFile);
    return isRight ? { kind: 'record', record } : { kind: 'damaged' };
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw toDiskError(error, { file: this.path, failure: 'cannot be read', code: 'wrap_state_unwritable' });
    }
  }

  #recordFile(realFile: string): string {
    return join(this.path, `${idOf(realFile)}.json`);
  }

  #pristineFile(realFile: string, hash: string): string {
    return join(this.path, `${idOf(realFile)}.${hash.slice(0, 16)}.original`);
  }

  #run(file: string, failure: string, action: () => void): void {
    try {
      action();
    } catch (error) {
      throw toDiskError(error, { file, failure, code: 'wrap_state_unwritable' });
    }
  }
}

function idOf(realFile: string): string {
  return sha256(realFile).slice(0, 32);
}
