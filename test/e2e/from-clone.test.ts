import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { ROOT } from '../support/run-cli.ts';
import { Running } from '../support/running.ts';

const sandbox = useSandbox();

/** Calls `build/from-clone.mjs --version` of a clone with nothing in it but that, where `npm` is a script. */
async function runFromClone(
  npm: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const { current } = sandbox;
  for (const folder of ['build', 'bin', 'tools']) mkdirSync(current.path(folder));
  copyFileSync(join(ROOT, 'build', 'from-clone.mjs'), current.path('build/from-clone.mjs'));
  current.write('bin/clawai.mjs', "console.log('called with', ...process.argv.slice(2));");
  current.write('tools/npm', `#!/bin/sh\n${npm}\n`, 0o755);
  const env = {
    ...current.env,
    PATH: `${current.path('tools')}${delimiter}${process.env['PATH'] ?? ''}`,
    NODE_ENV: 'production',
  };
  return await new Running([process.execPath, current.path('build/from-clone.mjs'), '--version'], {
    env,
    cwd: current.folder,
  }).close();
}

describe.skipIf(process.platform === 'win32')('build/from-clone.mjs', () => {
  it('builds first, with what that takes whatever NODE_ENV says, and prints nothing of it on stdout', async () => {
    const { code, stdout, stderr } = await runFromClone('echo "npm $*"; mkdir dist; touch dist/main.mjs');
    expect([code, stdout]).toEqual([0, 'called with --version\n']);
    expect(stderr).toMatch(/^npm ci .*--include=dev --ignore-scripts=false/m);
  });

  it('says so where it could not be built, and calls nothing', async () => {
    const { code, stdout, stderr } = await runFromClone('exit 1');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('it could not be built in');
    expect(existsSync(sandbox.current.path('dist'))).toBe(false);
  });
});
