import type { HookProgram } from '../../clients/hook-places.ts';
import { findLauncher, ownInstallation } from '../launcher.ts';

/** Seconds that a client shall wait for its hook, so that a person has time to answer. */
const SECONDS = 600;

/**
 * Variables that say which code runs in a program, or which policy decides. Clients hand their hooks what a project's settings or its `.env` say, so
 * the hook's command removes these.
 */
const REMOVED =
  'CLAWAI_CONFIG CLAWAI_POLICY NODE_COMPILE_CACHE NODE_OPTIONS NODE_PATH OPENSSL_CONF OPENSSL_MODULES DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH LD_AUDIT LD_LIBRARY_PATH LD_PRELOAD'.split(
    ' ',
  );

/** Variables that say where policy, config and state are: they are as they were at the installation. */
const KEPT = ['HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

/**
 * The program that a client shall ask. It is named by absolute paths, since a project may set PATH.
 *
 * @param env the person's own
 */
export function hookProgram(launcher: readonly string[], client: string, env: Readonly<NodeJS.ProcessEnv>): HookProgram {
  const words = [...launcher, 'hook', client, '--timeout', String(SECONDS)];
  const kept = KEPT.flatMap((name): [string, string][] => ((env[name] ?? '') === '' ? [] : [[name, env[name] as string]]));
  const removed = [...REMOVED, ...KEPT.filter((name) => !kept.some(([each]) => each === name))];
  const line = [...kept.map(([name, value]) => `${name}=${quote(value)}`), ...words.map(quote)].join(' ');
  return { words, kept: Object.fromEntries(kept), removed, start: `unset ${removed.join(' ')}; ${line}`, seconds: SECONDS };
}

/** The words that start this clawai, by absolute paths. */
export function hookLauncher(): readonly string[] {
  return findLauncher({ ...ownInstallation(), everyonesFolders: [] }).words;
}

function quote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
