import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

describe('what a project puts in the place of clawai', () => {
  it.each<[file: string, text: string, launcher: readonly string[], expected: string | undefined]>([
    ['a/node_modules/clawai/package.json', '{}', NPX, 'own copy'],
    ['node_modules/clawai/package.json', '{}', NPX, 'own copy'],
    ['a/node_modules/.bin/clawai', '', NPX, 'own copy'],
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

  it('is also a program, where Windows looks in the current folder first', () => {
    write('a/npx.cmd');
    expect(standInFor(NPX, join(folder, 'a'), 'win32')).toContain('Windows would start');
    expect(standInFor(['C:\\node.exe', 'C:\\clawai.mjs'], join(folder, 'a'), 'win32')).toBeUndefined();
  });
});
