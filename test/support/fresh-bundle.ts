import { spawnSync } from 'node:child_process';
import { globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILE_CACHE, ROOT } from './run-cli.ts';

/** Vitest's global set-up of the tests that run the real binary: builds the bundle if any source is newer. Throws where the build fails. */
export function setup(): void {
  if (!isStale()) return;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules', 'rolldown', 'bin', 'cli.mjs'), '-c'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  rmSync(COMPILE_CACHE, { recursive: true, force: true });
  if (status !== 0) throw new Error(`the bundle is older than its sources, and building it failed:\n${stdout}${stderr}`);
}

function isStale(): boolean {
  const bundle = statSync(join(ROOT, 'dist', 'main.mjs'), { throwIfNoEntry: false });
  if (bundle === undefined) return true;
  const sources = globSync(['src/**/*.{ts,tsx,css}', 'rolldown.config.ts', 'package.json'], { cwd: ROOT });
  return sources.some((file) => statSync(join(ROOT, file)).mtimeMs > bundle.mtimeMs);
}
