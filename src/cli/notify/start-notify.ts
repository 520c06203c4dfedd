import { statSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Config } from '../../config/config.ts';
import { packageRoot } from '../../host/directories.ts';

/** Milliseconds for which a lock that nobody touches still counts, and for which a started process may take to get it. */
const FRESH_MS = 3000;
const STARTS_MS = 1000;

/** The lock of the one process that sends to webhooks. */
export function notifyLock(stateDir: string): string {
  return join(stateDir, 'notify.lock');
}

/**
 * Creates a function that has the webhooks told of what is on record now: it starts `clawai service notify` in the background, unless that runs. So
 * a slow receiver costs this process nothing, and a notice outlives it. Undefined without webhooks. It never throws or waits.
 */
export function createNotify({
  webhooks,
  stateDir,
  file,
}: Pick<Config, 'webhooks' | 'stateDir' | 'file'>): (() => void) | undefined {
  if (webhooks.length === 0) return undefined;
  let started = Number.NEGATIVE_INFINITY;
  const config = file === undefined ? [] : ['--config', file];
  return () => {
    try {
      if (performance.now() - started < STARTS_MS || isFresh(notifyLock(stateDir))) return;
      started = performance.now();
      const words = [join(packageRoot(), 'bin', 'clawai.mjs'), 'service', 'notify', ...config];
      // Loaded now, since few processes ever need it.
      const { spawn } = process.getBuiltinModule('node:child_process');
      // Without NODE_OPTIONS, which could make Node load something.
      const { NODE_OPTIONS: _options, ...env } = process.env;
      const cwd = parse(packageRoot()).root;
      const child = spawn(process.execPath, words, { env, cwd, detached: true, stdio: 'ignore', windowsHide: true });
      // The next event starts another.
      child.on('error', () => {});
      child.unref();
    } catch {
      // The record has it all the same.
    }
  };
}

function isFresh(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  // A clock that was set back makes an old lock one of the future.
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < FRESH_MS;
}
