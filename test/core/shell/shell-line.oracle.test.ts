import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { PathContext } from '../../../src/core/paths/absolute-path.ts';
import { isDeniedBySelf, ownOf } from '../../support/own.ts';
import { leastHits, runs } from '../../support/runs.ts';

const BASH = '/bin/bash';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-shell-')));
for (const folder of ['.config/clawai/sub', '.config/nvim', '.local/state/clawai', 'project/sub']) {
  mkdirSync(join(home, folder), { recursive: true });
}
writeFileSync(join(home, '.claude.json'), '{}');
afterAll(() => rmSync(home, { recursive: true, force: true }));

const OURS = ['.config/clawai', '.local/state/clawai', '.claude.json'].map((file) => join(home, file));
const paths: PathContext = { home, cwd: join(home, 'project'), platform: 'posix', remote: false };

/** Ways to the folder above what is ours, and from there. */
const above = fc.constantFrom(
  '~/.config',
  '"$HOME"/.config',
  '~/.conf*',
  '../.config',
  '~/.config/nvim/..',
  '.',
  '..',
  '$A',
  '"$B"',
);
const name = fc.constantFrom(
  'clawai',
  "cla''wai",
  'cl\\awai',
  'claw*',
  '[c]lawai',
  '{clawai,nvim}',
  'clawai/sub',
  'nvim',
  '$A',
  '${B}',
);
const path = fc.oneof(
  above,
  name,
  fc.tuple(above, name).map((parts) => parts.join('/')),
);
const value = fc.constantFrom('clawai', 'cla', '~/.config', '.config', '"$HOME"/.config', 'x', '$B');
const command = fc.oneof(
  path.map((to) => `cd ${to}`),
  value.map((text) => `A=${text}`),
  value.map((text) => `export B=${text}`),
  path.map((what) => `rm ${what}`),
  fc.tuple(path, path).map(([to, what]) => `(cd ${to} && rm ${what})`),
  fc.tuple(path, path).map(([a, b]) => `for A in ${a} ${b}; do rm "$A"/clawai; done`),
);
const line = fc
  .array(fc.tuple(command, fc.constantFrom(' && ', '; ', '\n', ' || ')), { minLength: 1, maxLength: 5 })
  .map((parts) => `A=x B=y${parts.map(([text, mark]) => mark + text).join('')}`);

/** What a real shell would have removed, as absolute paths. */
function removedBy(text: string): readonly string[] {
  const script = `rm() { realpath -m -- "$@"; }\n${text}`;
  const { stdout } = spawnSync(BASH, ['-c', script], { cwd: paths.cwd, env: { HOME: home, PATH: '/usr/bin:/bin' } });
  return stdout.toString().split('\n');
}

function isOurs(file: string): boolean {
  return OURS.some((ours) => file === ours || file.startsWith(`${ours}/`));
}

describe.runIf(process.platform === 'linux' && existsSync(BASH))('hazard 7: a line of a shell', () => {
  it('that reaches for what is ours, as a real shell reads it, is denied', () => {
    const own = ownOf(OURS);
    let reached = 0;
    fc.assert(
      fc.property(line, (text) => {
        if (!removedBy(text).some(isOurs)) return;
        reached++;
        expect([text, isDeniedBySelf({ tool: 'bash', args: { command: text } }, { own, paths })]).toEqual([text, true]);
      }),
      { numRuns: runs(300) },
    );
    expect(reached).toBeGreaterThan(leastHits(10));
  });
});
