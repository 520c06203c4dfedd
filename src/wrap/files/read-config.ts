import { isUtf8 } from 'node:buffer';
import { readFileSync, lstatSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { LocatedFile } from '../../clients/locate.ts';
import { ClawaiError } from '../../errors.ts';
import { removeAbandoned } from '../../host/atomic-write.ts';
import { toDiskError, codeOf } from '../../host/disk.ts';
import { sha256, type StateFolder } from './state-folder.ts';

/** One config on the disk, with all locations under which clients read it. */
export interface ConfigGroup {
  readonly realFile: string;
  readonly located: readonly [LocatedFile, ...LocatedFile[]];
}

/** A config at the time of reading. */
export interface ConfigText {
  readonly target: Target;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes. */
  readonly hash: string;
  /** The text, including a byte order mark. */
  readonly text: string;
}

/** A config that can't be read, and why; it is left alone. */
interface UnreadableConfig {
  readonly file: string;
  readonly located: readonly LocatedFile[];
  readonly error: ClawaiError;
}

/** Groups locations by file: several clients may read one file, perhaps through links. */
export function groupConfigs(located: readonly LocatedFile[]): {
  readonly groups: readonly ConfigGroup[];
  readonly unreadable: readonly UnreadableConfig[];
} {
  const groups = new Map<string, [LocatedFile, ...LocatedFile[]]>();
  const unreadable = new Map<string, { file: string; located: LocatedFile[]; error: ClawaiError }>();
  for (const one of located) {
    try {
      const { path } = resolveTarget(one.file);
      const group = groups.get(path);
      if (group === undefined) groups.set(path, [one]);
      else group.push(one);
    } catch (error) {
      if (!(error instanceof ClawaiError)) throw error;
      const known = unreadable.get(one.file);
      if (known === undefined) unreadable.set(one.file, { file: one.file, located: [one], error });
      else known.located.push(one);
    }
  }
  return {
    groups: Array.from(groups, ([realFile, files]) => ({ realFile, located: files })),
    unreadable: [...unreadable.values()],
  };
}

/** Reads a config's bytes. @throws ClawaiError `client_config_unreadable`, also if they are not UTF-8 */
export function readConfig(file: string): ConfigText {
  const target = resolveTarget(file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(target.path);
  } catch (error) {
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'client_config_unreadable' });
  }
  // Invalid bytes would be written back as other characters.
  if (!isUtf8(bytes)) {
    throw new ClawaiError(`${file} is not UTF-8 text`, { code: 'client_config_unreadable', place: { file } });
  }
  let hash: string | undefined;
  let text: string | undefined;
  return {
    target,
    bytes,
    get hash() {
      hash ??= sha256(bytes);
      return hash;
    },
    // Decoded on demand: a file may be large, and is read again right before it is written.
    get text() {
      text ??= bytes.toString('utf8');
      return text;
    },
  };
}

/**
 * Removes temporary files of commands that were killed while they wrote a config or its record: they contain the config's secrets, and some
 * lie in a folder that a team commits. Never throws for what people could mend.
 */
export function removeLeftovers(located: readonly LocatedFile[], state: StateFolder): void {
  const { records, names } = state.list();
  const configs = [...groupConfigs(located).groups.map(({ realFile }) => realFile), ...records.map(({ file }) => file)];
  for (const config of new Set(configs)) removeAbandoned(config);
  const written = names.flatMap((name) => /^\.(.+)\.clawai-\d+-[0-9a-f]+\.tmp$/.exec(name)?.[1] ?? []);
  for (const name of new Set(written)) removeAbandoned(join(state.path, name));
}

/** The file at the end of a config path's links. */
interface Target {
  readonly path: string;
  readonly stats: BigIntStats;
}

/**
 * Follows the links of a config's path to the actual file.
 *
 * @throws ClawaiError `client_config_unreadable` if there is none: missing, a dangling or circular link, or not a file
 */
export function resolveTarget(file: string): Target {
  try {
    const path = realpathSync.native(file);
    const stats = statSync(path, { bigint: true });
    if (stats.isFile()) return { path, stats };
    throw new ClawaiError(`${file} is not a file`, { code: 'client_config_unreadable', place: { file } });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && isLink(file)) {
      throw new ClawaiError(`${file} is a broken link`, {
        code: 'client_config_unreadable',
        place: { file },
        hint: 'remove the link, or create the file that it leads to',
        cause: error,
      });
    }
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'client_config_unreadable' });
  }
}

/**
 * Refuses to change a file that has several names on the disk (hard links). A new file in its place would leave the old text under the other
 * names. Writing into it would also change copies that backups keep this way, and a process that is killed would leave half a config.
 *
 * @param path its real path
 * @throws ClawaiError `client_config_unwritable`
 */
export function refuseHardLinks(file: string, path: string): void {
  const { nlink } = statSync(path);
  if (nlink <= 1) return;
  throw new ClawaiError(
    `${file} is a hard link: the file has ${nlink} names, and clawai would change it under one of them only`,
    {
      code: 'client_config_unwritable',
      place: { file },
      hint: 'put a copy in its place, and run this again',
    },
  );
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
