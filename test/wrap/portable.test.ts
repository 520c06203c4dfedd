import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WrapMachine, wrapped } from '../support/wrap-machine.ts';
import { isPortable, portableKind, portableLauncher, standInFor } from '../../src/wrap/portable.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-portable-')));
  mkdirSync(join(folder, '.git'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text = ''): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const NPX = portableLauncher('npx', '1.2.3');
const NAME = portableLauncher('name', '1.2.3');

describe('what starts clawai on every machine', () => {
  it.each([
    [NPX, 'npx', true],
    [NAME, 'name', true],
    [['cmd', '/c', ...NPX], 'npx', true],
    [['cmd', '/C', 'clawai'], 'name', true],
    [['npx', '-y', 'clawai@1.2.4'], 'npx', false],
    [['npx', '-y', 'clawai@latest'], 'npx', false],
    [['npx', '-y', 'clawai'], undefined, false],
    [['npx', '-y', 'clawai@npm:evil'], undefined, false],
    [['npx', '-y', 'clawai-evil@1.2.3'], undefined, false],
    [['npx', '-y', '--registry=x', 'clawai@1.2.3'], undefined, false],
    [['npx', 'clawai@1.2.3'], undefined, false],
    [['./npx', '-y', 'clawai@1.2.3'], undefined, false],
    [['./clawai'], undefined, false],
    [['clawai', '--config', 'x'], undefined, false],
    [['cmd', '/c', './clawai'], undefined, false],
    [[], undefined, false],
  ] as const)('%j', (words, kind, isThisVersion) => {
    expect([portableKind(words), isPortable(words, '1.2.3')]).toEqual([kind, isThisVersion]);
  });
});

describe('what a project puts instead of clawai', () => {
  it.each<[file: string, text: string, launcher: readonly string[], expected: string | undefined]>([
    ['a/node_modules/clawai/package.json', '{}', NPX, 'own copy'],
    ['node_modules/clawai/package.json', '{}', NPX, 'own copy'],
    ['a/node_modules/.bin/clawai', '', NPX, 'own copy'],
    ['a/node_modules/.bin/clawai@1.2.3', '', NPX, 'own copy'],
    ['a/package.json', '{"bin":{"clawai@1.2.3":"x.js"}}', NPX, 'own copy'],
    ['package.json', '{"bin":{"a:clawai@1.2.3":"x.js"}}', NPX, 'own copy'],
    ['a/package.json', '{"bin":["bin/clawai@1.2.3"]}', NPX, 'own copy'],
    ['a/package.json', '{"name":"clawai","bin":"x.js"}', NPX, 'own copy'],
    ['a/package.json', '{"bin":', NPX, 'own copy'],
    ['a/package.json', '{"name":"a","bin":{"a":"x.js","clawai@1.2.4":"y.js"},"directories":{"bin":"none"}}', NPX, undefined],
    ['a/package.json', '{"bin":{"clawai":"x.js"}}', NAME, undefined],
    ['node_modules/clawai/package.json', '{}', NAME, undefined],
    ['a/.npmrc', 'fund=false\n  registry = http://x\n', NPX, 'sets registry'],
    ['.npmrc', 'node-options=--require=./x.js', NPX, 'sets node-options'],
    ['.npmrc', 'globalconfig=./x', NPX, 'sets globalconfig'],
    ['.npmrc', '# registry=x\n; registry=x\n\nsave-exact = true\n@acme:registry=http://x\n//x/:_authToken=t\n', NPX, undefined],
    ['a/b/.npmrc', 'registry=http://x', NPX, undefined],
    ['a/clawai.exe', '', NAME, undefined],
  ])('%s with %j, for %j', (file, text, launcher, expected) => {
    write('a/x');
    write(file, text);
    const found = standInFor(launcher, join(folder, 'a'), 'linux');
    expect(found).toEqual(expected === undefined ? undefined : expect.stringContaining(expected));
  });

  it('is also a program in the folder that its package names', () => {
    write('a/package.json', '{"directories":{"bin":"tools"}}');
    expect(standInFor(NPX, join(folder, 'a'), 'linux')).toBeUndefined();
    write('a/tools/more/clawai@1.2.3');
    expect(standInFor(NPX, join(folder, 'a'), 'linux')).toContain('own copy');
  });

  it('is also a program, where Windows looks in the current folder first', () => {
    write('a/npx.cmd');
    expect(standInFor(NPX, join(folder, 'a'), 'win32')).toContain('Windows would start');
    expect(standInFor(['C:\\node.exe', 'C:\\clawai.mjs'], join(folder, 'a'), 'win32')).toBeUndefined();
  });
});

describe('wrapping for every machine', () => {
  const PROJECT = '../project/.mcp.json';
  let machine: WrapMachine;
  beforeEach(() => {
    machine = new WrapMachine();
  });
  afterEach(() => machine.remove());

  it('takes nothing of this machine into the file: no URL of clawai serve, no policy of yours', async () => {
    machine.write(PROJECT, '{"mcpServers":{"web":{"url":"https://x.example/mcp"},"mine":{"command":"x"},"p":{"command":"y"}}}');
    await machine.wrap({ selection: { servers: ['p'] }, policy: '/home/me/policy.toml' });
    await machine.wrap({ selection: { servers: ['mine'] } });
    const before = JSON.parse(machine.read(PROJECT)).mcpServers;
    const outcomes = await machine.wrap({ portable: 'npx', routes: machine.routes('http://127.0.0.1:8787') });
    const entries = outcomes.flatMap(({ report }) => report?.entries ?? []);
    expect(entries.map(({ server, action, reason }) => [server, action, reason])).toEqual([
      ['web', 'skip', 'shared-url'],
      ['mine', 'update', undefined],
      ['p', 'skip', 'machine-path'],
    ]);
    const mine = { command: 'npx', args: ['-y', 'clawai@1.0.0', 'proxy', '--server', 'mine', '--', 'x'] };
    expect(JSON.parse(machine.read(PROJECT)).mcpServers).toEqual({ ...before, mine });
  });

  it("is for files of projects alone: those of the user's start this clawai as before", async () => {
    machine.write('.cursor/mcp.json', '{"mcpServers":{"a":{"command":"x"}}}');
    await machine.wrap({ portable: 'name' });
    const [command, ...args] = wrapped('a', 'x');
    expect(JSON.parse(machine.read('.cursor/mcp.json')).mcpServers.a).toEqual({ command, args });
  });

  it('stays when the version changes, and names the new one', async () => {
    machine.write(PROJECT, '{"mcpServers":{"a":{"command":"x"}}}');
    await machine.wrap({ portable: 'npx' });
    expect(machine.status().flatMap(({ servers }) => servers)).toMatchObject([{ isCurrent: true, weakness: undefined }]);
    await machine.wrap({ version: '1.1.0' });
    expect(machine.read(PROJECT)).toContain('"clawai@1.1.0"');
    expect(machine.status().flatMap(({ servers }) => servers)).toMatchObject([{ isCurrent: false, weakness: undefined }]);
  });
});
