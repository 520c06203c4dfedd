import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../../src/clients/clients.ts';
import { parseWrappedCommand } from '../../../src/wrap/wrapped-command.ts';
import { type ClientFile, writeEveryClient } from '../../support/every-client.ts';
import { readSource } from '../../structure/source.ts';
import { WrapMachine } from '../../support/wrap-machine.ts';

let machine: WrapMachine;
let files: readonly ClientFile[];
beforeEach(() => {
  machine = new WrapMachine();
  files = writeEveryClient({ platform: 'linux', home: machine.home, env: {} }, machine.project);
});
afterEach(() => machine.remove());

function texts(): readonly string[] {
  return files.map(({ file }) => readFileSync(file, 'utf8'));
}

it('hazard 3: a config of every client is wrapped whole, and gets its bytes back', async () => {
  // Visual Studio is on Windows alone.
  expect(files.map(({ client }) => client)).toEqual(CLIENTS.map(({ id }) => id).filter((id) => id !== 'visual-studio'));
  await machine.wrap();
  const servers = machine.status().flatMap((status) => status.servers.filter(({ state }) => state !== 'other'));
  const launches = servers.map(({ server, state, command }) => {
    const behind = command && parseWrappedCommand(command)?.server;
    return `${server} ${state}: ${[behind?.command, ...(behind?.args ?? [])].join(' ')}`;
  });
  expect(launches.toSorted()).toEqual(
    ['bare wrapped: true', 'files wrapped: npx -y server', 'off wrapped: false'].flatMap((line) => files.map(() => line)),
  );
  const wrapped = texts();
  await machine.wrap();
  expect(texts()).toEqual(wrapped);
  await machine.unwrap();
  expect(texts()).toEqual(files.map(({ text }) => text));
});

it('what others wrote at the end of a config stays when it is unwrapped', async () => {
  await machine.wrap();
  for (const { file } of files) appendFileSync(file, '\n');
  await machine.unwrap();
  expect(texts()).toEqual(files.map(({ text }) => `${text}\n`));
});

it('a config that its client has written anew, in another style, gets its command lines back', async () => {
  const [codex, goose] = ['codex', 'goose'].map((id) => files.find(({ client }) => client === id)?.file ?? '');
  await machine.wrap();
  writeFileSync(
    codex ?? '',
    readFileSync(codex ?? '', 'utf8')
      .replaceAll(/command = "([^"]*)"/g, "command = '$1'")
      .replaceAll(/ #.*\n/g, '\n'),
  );
  writeFileSync(goose ?? '', readFileSync(goose ?? '', 'utf8').replaceAll(/^ {4}- /gm, '      - '));
  await machine.unwrap();
  expect(readFileSync(codex ?? '', 'utf8')).toContain('command = "npx"');
  expect(readFileSync(goose ?? '', 'utf8')).toMatch(/args:\n {6}- "-y"\n {6}- "server"\n {4}cmd: "npx"\n/);
  expect(
    machine.status().flatMap(({ servers }) => servers.filter(({ state }) => state !== 'unwrapped' && state !== 'other')),
  ).toEqual([]);
});

it('no diff has a secret of any syntax', () => {
  const diffs = machine.plan().map(({ diff }) => diff());
  expect(diffs).toHaveLength(files.length);
  expect(diffs.filter((diff) => !diff.includes('proxy'))).toEqual([]);
  expect(diffs.filter((diff) => diff.includes('hunter2'))).toEqual([]);
});

describe('an entry in YAML that clawai must not edit', () => {
  it('is left as it is, counts as not wrapped, and has its place named', async () => {
    const file = files.find(({ client }) => client === 'goose')?.file ?? '';
    const text = 'x: &x\n  cmd: npx\n  args: [y]\nextensions:\n  a:\n    <<: *x\n  b: {cmd: z}\n';
    writeFileSync(file, text);
    const outcomes = await machine.wrap();
    const entries = outcomes.flatMap(({ report }) => report?.entries ?? []).filter((entry) => entry.file === file);
    expect(entries).toMatchObject([
      {
        server: 'a',
        action: 'skip',
        reason: 'malformed',
        line: 5,
        detail: 'it comes from << at 6:5: write it in the entry itself, then wrap it',
      },
      { server: 'b', action: 'wrap' },
    ]);
    expect(readFileSync(file, 'utf8').startsWith(text.slice(0, text.indexOf('  b:')))).toBe(true);
    const servers = machine.status().flatMap((status) => (status.file === file ? status.servers : []));
    expect(servers).toMatchObject([
      { server: 'a', state: 'malformed', isDoubtful: true },
      { server: 'b', state: 'wrapped' },
    ]);
  });
});

it.each([
  ['.codex/config.toml', "[mcp_servers.a]\ncommand = 'cmd'\nargs = ['/c', 'npx', '-y', 'C:\\Users\\me\\x y']\n"],
  [
    '.config/goose/config.yaml',
    "extensions:\n  a:\n    cmd: cmd\n    args:\n    - /c\n    - npx\n    - -y\n    - 'C:\\Users\\me\\x y'\n",
  ],
  ['.openclaw/openclaw.json', "{mcp: {servers: {a: {command: 'cmd', args: ['/c', 'npx', '-y', 'C:\\\\Users\\\\me\\\\x y']}}}}"],
])('%s keeps the paths of Windows, and its shell behind clawai', async (name, text) => {
  machine.write(name, text);
  const launcher = [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\Users\me\AppData\clawai\bin\clawai.mjs`];
  const server = (): unknown => machine.status().find(({ file }) => file.endsWith(name))?.servers[0]?.command;
  const own = { command: 'cmd', args: ['/c', 'npx', '-y', String.raw`C:\Users\me\x y`] };
  expect(server()).toEqual(own);
  await machine.wrap({ launcher });
  expect(server()).toEqual({
    command: launcher[0],
    args: [launcher[1], 'proxy', '--server', 'a', '--', own.command, ...own.args],
  });
  await machine.unwrap();
  expect(machine.read(name)).toBe(text);
});

it('the documentation names these clients', () => {
  const [, list = ''] = /It knows\n([\s\S]*?)\. The real/.exec(readSource('docs/wrap-your-clients.md')) ?? [];
  const named = list.split(/,\s|\sand\s/).map((name) => name.replaceAll(/\s+/g, ' ').trim());
  expect(named.toSorted()).toEqual(CLIENTS.map(({ name }) => name).toSorted());
  expect(readSource('README.md')).toContain(`\`wrap\` knows [${CLIENTS.length} clients]`);
});
