import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  const { status, stdout, stderr } = spawnSync(shell, args, { input, env, cwd: folder, encoding: 'utf8', timeout: 30_000 });
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

  it.skipIf(!has('zsh'))('zsh completes a line that a person types', () => {
    mkdirSync(join(folder, 'functions'));
    writeFileSync(join(folder, 'functions', '_clawai'), scripts.zsh);
    // Reading from its terminal takes zsh half a second a line.
    const lines = ['clawai policy li', 'clawai policy lint --reporter g', 'clawai wrap f'] as const;
    const { stdout } = run('zsh', ['-f', '-c', IN_ZSH, 'zsh', ...lines], '');
    expect(stdout.trimEnd().split(/ *\n/)).toEqual(lines.map((line) => COMPLETED[line]));
  });

  it.skipIf(!has('fish'))('fish completes it too, from the file that the help names', () => {
    const file = join(folder, '.config', 'fish', 'completions', 'clawai.fish');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, scripts.fish);
    const completed = (line: string): string | undefined => {
      const [offered = ''] = run('fish', ['-c', `complete -C '${line}'`], '').stdout.split(/[\t\n]/);
      return `${line.slice(0, line.search(/[^ ]*$/))}${offered}`;
    };
    for (const [line, whole] of Object.entries(COMPLETED)) expect(completed(line)).toBe(whole);
  });
});

/** What is typed, and what Tab makes of it. */
const COMPLETED = {
  'clawai pol': 'clawai policy',
  'clawai policy li': 'clawai policy lint',
  'clawai policy lint --rep': 'clawai policy lint --reporter',
  'clawai policy lint --reporter g': 'clawai policy lint --reporter github',
  'clawai wrap f': 'clawai wrap files',
  'clawai wrap --client claude-d': 'clawai wrap --client claude-desktop',
  'clawai help mcp reg': 'clawai help mcp registry',
  'clawai log --calls --col': 'clawai log --calls --color',
  'clawai mcp approve --server f': 'clawai mcp approve --server files',
  'clawai policy lint --policy .claude.j': 'clawai policy lint --policy .claude.json',
} as const;

/** An interactive zsh in a terminal of its own: each line is typed, then Tab, and then a key that prints what stands there now. */
const IN_ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
until_shown() { local out part; while [[ $out != *$1* ]] && zpty -r shell part "*$1*"; do out+=$part; done; REPLY=$out }
zpty -w shell "PS1=; stty -echo; fpath=($HOME/functions \\$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell "show() { print -r -- \\"<<\\$BUFFER>>\\"; BUFFER= }; zle -N show; bindkey '^X' show; echo rea''dy"
until_shown ready
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t\\x18'
  until_shown '>>'
  print -r -- "\${\${REPLY##*<<}%%>>*}"
done
zpty -w shell exit
exit
`;

it.each([[[]], [['bsh']], [['bash', 'zsh']]])('completion %j is refused', async (words) => {
  expect(await runCli(['completion', ...words])).toMatchObject({ code: 2, stdout: '' });
});
