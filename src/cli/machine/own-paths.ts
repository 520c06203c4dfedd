import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { StartPolicy } from '../../config/start-policy.ts';
import { compileOwnPaths, type OwnPath, type OwnPaths } from '../../core/self/own-paths.ts';
import { configDirectory, type Machine, packageRoot, stateDirectory } from '../../host/directories.ts';
import { pathStyle, realPath } from '../../host/paths.ts';
import { autostartFile } from '../serve/autostart/autostart.ts';
import { readHookedFiles, readWrappedFiles, wrappedFilesVersion } from '../../wrap/files/wrapped-files.ts';

interface OwnPlaces extends Machine {
  /** Folder of the state that the config names. */
  readonly stateDir: string;
  /** The policies and the config that are in use, and where events are written to. */
  readonly files: readonly { readonly path: string | undefined; readonly what: string }[];
}

/** The folder with the records of wrapped configs. */
function wrapFolder(machine: Machine): string {
  return join(stateDirectory(machine), 'wrap');
}

/** The folder with the records of hooks. */
export function hooksFolder(machine: Machine): string {
  return join(stateDirectory(machine), 'hooks');
}

/** Everything on this machine that makes up clawai, or that it depends on; the first reason to name a path counts. */
export function listOwnPaths(places: OwnPlaces, followLinks: (path: string) => string): readonly OwnPath[] {
  const { home, platform } = places;
  const found = new Map<string, string>();
  const add = (what: string, ...paths: readonly (string | undefined)[]): void => {
    for (const path of paths) {
      const whole = path === undefined || path === '' ? undefined : resolve(path);
      if (whole !== undefined && !found.has(whole)) found.set(whole, what);
    }
  };
  for (const { path, what } of places.files) add(what, path);
  // The usual places too: whoever started us may have another environment than those who come later.
  add('policy and config of the user', configDirectory(places), configDirectory({ home, platform, env: {} }));
  add(
    'state: events, approvals, what was wrapped',
    places.stateDir,
    stateDirectory(places),
    stateDirectory({ home, platform, env: {} }),
  );
  add('start of clawai serve at login', autostartFile(places));
  add('code compiled ahead', cacheDirectory(places));
  add('installation', ...installation());
  const called = commands(places);
  add('command', ...called);
  const { configs, named } = readWrappedFiles(wrapFolder(places));
  add('wrapped client config', ...configs);
  add('hook of a client', ...readHookedFiles(hooksFolder(places)));
  add('file that a wrapped server is started with', ...named);
  // PATH has folders that projects make and throw away, such as `node_modules/.bin`.
  const missing = new Set(
    called.map((path) => resolve(path)).filter((path) => found.get(path) === 'command' && !existsSync(path)),
  );
  return Array.from(found, ([path, what]) => {
    const entry = { path, real: followLinks(path), what };
    return missing.has(path) ? { ...entry, isMissing: true } : entry;
  });
}

/** An installed package as a whole; of a checkout, in which people work, what is run. */
function installation(): readonly string[] {
  const root = packageRoot();
  if (root.includes(`${sep}node_modules${sep}`)) return [root];
  return ['bin', 'build/from-clone.mjs', 'dist', 'policies', 'package.json'].map((name) => join(root, name));
}

/** Paths that the word `clawai` may run, in each folder of PATH, since the first of them counts. */
function commands({ env, platform }: Machine): readonly string[] {
  const names = platform === 'win32' ? ['clawai', 'clawai.cmd', 'clawai.ps1', 'clawai.exe'] : ['clawai'];
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** The cache of compiled code that Node keeps for bin/clawai.mjs, and runs without a look at its source. */
function cacheDirectory({ env, platform, home }: Machine): string {
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'clawai', 'cache');
  const xdg = env['XDG_CACHE_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'clawai');
  return platform === 'darwin' ? join(home, 'Library', 'Caches', 'clawai') : join(home, '.cache', 'clawai');
}

/** The files that decide, wherever the user has put them, and those that keep others out. */
export function ownFiles(
  start: Pick<StartPolicy, 'project'> & { readonly file: string | undefined },
  { file, audit, serve: { tls, tokenFile }, webhooks }: Pick<Config, 'file' | 'audit' | 'serve' | 'webhooks'>,
): OwnPlaces['files'] {
  return [
    { path: start.file, what: 'policy' },
    { path: start.project?.file, what: 'policy of the project' },
    { path: file, what: 'config' },
    { path: audit.jsonl, what: 'events' },
    { path: tls?.key, what: 'key of the listener' },
    { path: tls?.cert, what: 'certificate of the listener' },
    { path: tokenFile, what: 'token of the listener' },
    ...webhooks.flatMap(({ url, secret }) =>
      [url, secret].flatMap((place) => (place?.in === 'file' ? [{ path: place.file, what: 'secret of a webhook' }] : [])),
    ),
  ];
}

/** Milliseconds between two looks for configs that were wrapped meanwhile. */
const LOOK_EVERY = 250;

/** Milliseconds after which links are followed anew. */
const RESOLVE_EVERY = 10_000;

/**
 * A source of what makes up clawai on this machine. Nothing is looked at before it is first asked, which most processes that clients start never
 * are; after that, at most every quarter of a second.
 *
 * @param elapsed milliseconds on a clock that never jumps
 */
export function createLiveOwnPaths(
  places: OwnPlaces,
  { followLinks = realPath, elapsed = (): number => performance.now() } = {},
): () => OwnPaths {
  const folders = [wrapFolder(places), hooksFolder(places)];
  let own: OwnPaths | undefined;
  let version = 0;
  let looked = 0;
  let resolved = 0;
  return () => {
    const now = elapsed();
    if (own !== undefined && now - looked < LOOK_EVERY) return own;
    looked = now;
    const seen = folders.reduce((sum, folder) => sum + wrappedFilesVersion(folder), 0);
    if (own !== undefined && seen === version && now - resolved < RESOLVE_EVERY) return own;
    version = seen;
    resolved = now;
    own = compileOwnPaths(listOwnPaths(places, followLinks), pathStyle(places.platform));
    return own;
  };
}
