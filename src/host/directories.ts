import { join } from 'node:path';

/** What the places of our files depend on. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Home directory of the user. */
  readonly home: string;
}

/**
 * Where clawai keeps what it remembers: `$XDG_STATE_HOME/clawai`, by default `~/.local/state/clawai`; on Windows
 * `%LOCALAPPDATA%\clawai`. A relative `$XDG_STATE_HOME` is ignored, as the XDG specification demands.
 */
export function stateDirectory(machine: Machine): string {
  const { env, platform, home } = machine;
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'clawai');
  const state = env['XDG_STATE_HOME'];
  return join(state?.startsWith('/') ? state : join(home, '.local', 'state'), 'clawai');
}
