import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import { ClawaiError } from '../errors.ts';
import { writeAtomically } from '../host/atomic-write.ts';
import { codeOf, toDiskError } from '../host/disk.ts';
import { makePrivateFolder } from '../host/make-folder.ts';
import { whileLocked } from '../host/lock.ts';
import type { RemoteServer } from './remote-server.ts';
import {
  formatRemoteState,
  type LeftAlone,
  NO_STATE,
  parseRemoteState,
  type RemoteState,
  type WrappedServer,
} from './state-text.ts';

/** 128 bits: 22 characters of base64url. */
const SECRET_BYTES = 16;

/** Each holder reads and writes one small file; the lock of a killed holder is void at once. */
const LOCK_WAIT_MS = 10_000;
const LOCK_STALE_MS = 10_000;

/** Returns the path of the file that lists remote servers, in the state folder. */
export function remoteStateFile(stateDir: string): string {
  return join(stateDir, 'remote-servers.json');
}

/** Creates a secret for a server's URL. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/**
 * Reads the state of remote servers; empty if there is no file.
 *
 * @throws ClawaiError `remote_state_unusable` if it can't be read; `remote_state_damaged` if it can't be parsed. A damaged file must not
 * count as empty: the clients' URLs would lead nowhere, and a rewrite would lose where they led
 */
export function readRemoteState(stateDir: string): RemoteState {
  const file = remoteStateFile(stateDir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return NO_STATE;
    throw toDiskError(error, { file, failure: 'cannot be read', code: 'remote_state_unusable' });
  }
  const state = parseRemoteState(text);
  if (state !== undefined) return state;
  throw new ClawaiError(`${file} is damaged: it does not list the remote servers`, {
    code: 'remote_state_damaged',
    place: { file },
    hint: 'run `clawai unwrap --all`, which uses its own records; then remove the file, and run `clawai wrap --all`',
  });
}

/** Returns a stamp that changes with the file, which is always replaced as a whole; empty if there is none. Never throws. */
export function remoteStateStamp(stateDir: string): string {
  try {
    const { ino, mtimeNs, size } = statSync(remoteStateFile(stateDir), { bigint: true });
    return `${ino}.${mtimeNs}.${size}`;
  } catch {
    // The file is missing or unreadable; reading it reports the reason.
    return '';
  }
}

/**
 * Loads all remote servers, the declared ones first. It creates and stores missing secrets before it returns.
 *
 * @throws ClawaiError `remote_state_damaged` or `remote_state_unusable`
 */
export function loadRemoteServers(config: Pick<Config, 'stateDir' | 'servers'>): readonly RemoteServer[] {
  return remoteServersIn(config, withSecrets(config.stateDir, namesWithoutOwn(config)));
}

/**
 * Returns the stored secrets of declared servers by name. It creates and stores missing ones before it returns.
 *
 * @throws ClawaiError `remote_state_damaged` or `remote_state_unusable`
 */
export function secretsOf(stateDir: string, names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(withSecrets(stateDir, names).declared.map(({ name, secret }) => [name, secret]));
}

/** Lists the remote servers that have a secret in this state or in the config, the declared ones first. */
export function remoteServersIn({ servers }: Pick<Config, 'servers'>, state: RemoteState): readonly RemoteServer[] {
  const secrets = new Map(state.declared.map(({ name, secret }) => [name, secret]));
  const declared = servers.flatMap(({ id, secret = secrets.get(id), ...server }): RemoteServer[] =>
    secret === undefined ? [] : [{ ...server, name: id, secret, group: 'declared' }],
  );
  const wrapped = state.wrapped.map(({ name, url, secret, group, auth }): RemoteServer => ({
    name,
    url,
    secret,
    headers: {},
    auth,
    tlsFingerprint: undefined,
    group,
  }));
  return [...declared, ...wrapped];
}

/**
 * Stores entries whose URLs are about to lead to `clawai serve`. It replaces an entry with the same file and pointer.
 *
 * @throws ClawaiError `remote_state_damaged` or `remote_state_unusable`; nothing is written then
 */
export function addWrapped(stateDir: string, entries: readonly WrappedServer[]): void {
  update(stateDir, (now) => {
    const others = now.wrapped.filter((known) => !entries.some((entry) => isSamePlace(entry, known)));
    return { ...now, wrapped: [...others, ...entries] };
  });
}

/** Removes entries whose URLs lead to their servers again. @throws ClawaiError as `addWrapped` */
export function removeWrapped(stateDir: string, places: readonly Pick<WrappedServer, 'file' | 'pointer'>[]): void {
  update(stateDir, (now) => {
    const wrapped = now.wrapped.filter((known) => !places.some((place) => isSamePlace(place, known)));
    return wrapped.length === now.wrapped.length ? now : { ...now, wrapped };
  });
}

/**
 * Stores which entries were left alone after their servers were asked, in place of the previous results for all asked entries.
 *
 * @throws ClawaiError as `addWrapped`
 */
export function rememberLeft(stateDir: string, asked: readonly Place[], left: readonly LeftAlone[]): void {
  const isAsked = (one: Place): boolean => asked.some((place) => isSamePlace(place, one));
  const merge = (now: readonly LeftAlone[]): readonly LeftAlone[] => [...now.filter((one) => !isAsked(one)), ...left];
  // Most machines have no such server, and need no file for it.
  const { left: known = [] } = readRemoteState(stateDir);
  if (isDeepStrictEqual(merge(known), known)) return;
  update(stateDir, (now) => ({ ...now, left: merge(now.left ?? []) }));
}

type Place = Pick<WrappedServer, 'file' | 'pointer'>;

function isSamePlace(one: Place, other: Place): boolean {
  return one.file === other.file && one.pointer === other.pointer;
}

/** Lists the servers for which the config has no secret. */
function namesWithoutOwn({ servers }: Pick<Config, 'servers'>): readonly string[] {
  return servers.flatMap(({ id, secret }) => (secret === undefined ? [id] : []));
}

function withSecrets(stateDir: string, names: readonly string[]): RemoteState {
  const missing = ({ declared }: RemoteState): readonly string[] => {
    const known = new Set(declared.map(({ name }) => name));
    return names.filter((name) => !known.has(name));
  };
  const state = readRemoteState(stateDir);
  if (missing(state).length === 0) return state;
  return update(stateDir, (now) => {
    const fresh = missing(now).map((name) => ({ name, secret: createSecret() }));
    return fresh.length === 0 ? now : { ...now, declared: [...now.declared, ...fresh] };
  });
}

/** Reads, changes and writes under a lock; nothing is written if `change` returns its argument. */
function update(stateDir: string, change: (now: RemoteState) => RemoteState): RemoteState {
  const file = remoteStateFile(stateDir);
  const code = 'remote_state_unusable';
  try {
    makePrivateFolder(stateDir);
  } catch (error) {
    throw toDiskError(error, { file: stateDir, failure: 'cannot be created', code });
  }
  const lock = { path: `${file}.lock`, staleAfterMs: LOCK_STALE_MS, waitMs: LOCK_WAIT_MS, diesWithOwner: true, code } as const;
  return whileLocked({ ...lock, kind: 'owned-directory', purpose: file }, () => {
    const now = readRemoteState(stateDir);
    const next = change(now);
    if (next === now) return now;
    try {
      writeAtomically(file, Buffer.from(formatRemoteState(next)), { mode: 0o600 });
    } catch (error) {
      throw toDiskError(error, { file, failure: 'cannot be written', code });
    }
    return next;
  });
}
