import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { type Ended, Running } from '../support/running.ts';

const sandbox = useSandbox();

/** Servers that come with plugins and extensions, as each client keeps them: what the file says, and how status names them. */
const BROUGHT: readonly (readonly [file: string, content: object, names: readonly string[]])[] = [
  ['.claude/plugins/cache/m/a/1.0/.mcp.json', { bare: { command: '${CLAUDE_PLUGIN_ROOT}/x' } }, ['bare']],
  ['.claude/plugins/cache/m/b/1.0/.claude-plugin/plugin.json', { mcpServers: { inline: { command: 'x' } } }, ['inline']],
  ['.claude/plugins/cache/m/c/1.0/.claude-plugin/plugin.json', { mcpServers: './more.json' }, ['./more.json']],
  ['.config/Claude/Claude Extensions/org.files/manifest.json', { server: { mcp_config: { command: 'node' } } }, ['org.files']],
  ['.config/Claude/Claude Extensions/org.none/manifest.json', { server: { type: 'uv' } }, ['org.none']],
  ['.cursor/plugins/local/p/.cursor-plugin/plugin.json', { mcpServers: { cursed: { url: 'https://c.example' } } }, ['cursed']],
  ['.codex/plugins/p/.mcp.json', { mcpServers: { coded: { command: 'x' } } }, ['coded']],
  ['.copilot/installed-plugins/m/p/plugin.json', { mcpServers: { copied: { command: 'x' } } }, ['copied']],
  ['.gemini/extensions/g/gemini-extension.json', { mcpServers: { twin: { command: 'x' } } }, ['twin']],
];

it('hazard 3: servers of plugins and extensions are named everywhere, and their files stay as they are', async () => {
  const { current } = sandbox;
  const { XDG_CONFIG_HOME: _config, ...env } = current.env;
  const files = BROUGHT.map(([file, content]) => ({ file: `${current.home}/${file}`, text: JSON.stringify(content) }));
  // A manifest that its client may read otherwise is named, and nobody here can mend it.
  files.push({ file: `${current.home}/.copilot/installed-plugins/m/broken/plugin.json`, text: '{"mcpServers": 5}' });
  for (const { file, text } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const clawai = (...args: readonly string[]): Promise<Ended> =>
    new Running(current.command(...args), { env, cwd: current.home }).close();
  const names = BROUGHT.flatMap(([, , named]) => named);
  const wrap = await clawai('wrap', '--all', '--json');
  expect([wrap.code, wrap.stdout.includes('mcpServers must be an object')]).toEqual([0, true]);
  const wrapped = JSON.parse(wrap.stdout).files.flatMap(({ servers }: { servers: readonly object[] }) => servers);
  expect(wrapped.map(({ server, action }: { server: string; action: string }) => [server, action]).toSorted()).toEqual(
    names.map((name) => [name, 'skip']).toSorted(),
  );
  expect(files.map(({ file }) => readFileSync(file, 'utf8'))).toEqual(files.map(({ text }) => text));
  const status = await clawai('status', '--check');
  expect([status.code, status.stdout.includes('mcpServers must be an object')]).toEqual([0, true]);
  expect(names.filter((name) => !status.stdout.includes(name))).toEqual([]);
  expect(status.stdout).toContain(
    `0 of ${names.length} servers wrapped; 1 remote, without clawai; ${names.length - 1} that cannot be wrapped.`,
  );
  const doctor = await clawai('doctor');
  expect(names.filter((name) => !doctor.stdout.includes(`${name} (`))).toEqual(['./more.json', 'org.none']);
});
