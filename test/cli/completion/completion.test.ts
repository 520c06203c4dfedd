import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, runCli } from '../../support/run-cli.ts';

const scripts = { bash: '', zsh: '', fish: '' };
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-completion-'));
  writeFileSync(join(folder, 'clawai'), `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/clawai.mjs' "$@"\n`, { mode: 0o755 });
  const mcpServers = { files: { command: 'x' }, '$(touch pwned)': { command: 'x' }, '-x': { command: 'x' } };
  writeFileSync(join(folder, '.claude.json'), JSON.stringify({ mcpServers }));
  for (const shell of ['bash', 'zsh', 'fish'] as const) scripts[shell] = (await runCli(['completion', shell])).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(shell: string, args: readonly string[], input: string): { code: number | null; stdout: string; stderr: string } {
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder };
  const { status, stdout, stderr } = spawnSync(shell, args, { input, env, cwd: folder, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

function has(shell: string): boolean {
  return spawnSync(shell, ['-c', ':']).status === 0;
}

/** What bash offers for the last word. */
function inBash(...words: readonly string[]): string {
  const script = `${scripts.bash}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clawai 2>/dev/null; echo "\${COMPREPLY[*]}"`;
  return run('bash', ['-c', script, 'bash', 'clawai', ...words], '').stdout.trim();
}

describe.skipIf(!has('bash'))('bash', () => {
  it.each([
    [['pol'], 'policy'],
    [['policy', ''], 'test lint explain show replay fmt schema'],
    [['log', 've'], 'verify'],
    [['policy', 'lint', '--rep'], '--reporter'],
    [['policy', 'lint', '--reporter', 'g'], 'github'],
    [['policy', 'lint', '--reporter', '=', 'g'], 'github'],
    [['log', '--json', '--action', 'bl'], 'block'],
    [['wrap', '--client', 'claude-d'], 'claude-desktop'],
    [['help', 'mcp', 'reg'], 'registry'],
    [['log', '--color', ''], 'auto always never'],
    [['policy', 'lint', '--policy', '.claude'], '.claude.json'],
  ])('clawai %j', (words, offered) => {
    expect(inBash(...words)).toBe(offered);
  });

  it('offers servers by name, and none whose name a shell would run', () => {
    expect(inBash('wrap', '')).toBe('files');
    expect(inBash('mcp', 'approve', '--server', '')).toBe('files');
    expect(run('ls', [], '').stdout).not.toContain('pwned');
  });

  it('leaves what stands behind -- to the shell', () => {
    expect(inBash('proxy', '--', 'bas').split(' ')).toContain('bash');
  });
});

describe('zsh and fish', () => {
  it('know the same commands and values', () => {
    expect(scripts.zsh).toContain("'policy lint --reporter') compadd -- 'text' 'json' 'github' 'sarif'; return ;;");
    expect(scripts.fish).toContain(
      String.raw`complete -c clawai -n '__clawai_at \'policy lint\'' -l reporter -x -a 'text json github sarif'`,
    );
  });

  it.skipIf(!has('zsh'))('zsh can read its script', () => {
    expect(run('zsh', ['-n'], scripts.zsh)).toMatchObject({ code: 0, stderr: '' });
  });

  it.skipIf(!has('fish'))('fish offers them', () => {
    const script = `${scripts.fish}\ncomplete -C 'clawai policy lint --reporter g'\ncomplete -C 'clawai wrap '`;
    expect(run('fish', ['--no-config'], script).stdout.split(/\s/)).toEqual(expect.arrayContaining(['github', 'files']));
  });
});

it.each([[[]], [['bsh']], [['bash', 'zsh']]])('completion %j is refused', async (words) => {
  expect(await runCli(['completion', ...words])).toMatchObject({ code: 2, stdout: '' });
});
