import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLauncher, ownInstallation } from '../../src/wrap/launcher.ts';

let folder: string;
let node: string;
let entry: string;
let everyones: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'clawai-launcher-')));
  for (const name of ['node-24/bin', 'clawai/bin', 'everyones']) mkdirSync(join(folder, name), { recursive: true });
  node = join(folder, 'node-24', 'bin', 'node');
  entry = join(folder, 'clawai', 'bin', 'clawai.mjs');
  everyones = join(folder, 'everyones');
  writeFileSync(node, '');
  writeFileSync(entry, '');
});
afterEach(() => rmSync(folder, { recursive: true }));

function find(platform: NodeJS.Platform = 'linux', lastingNodes: readonly string[] = []): readonly string[] {
  return findLauncher({ platform, node, entry, everyonesFolders: [everyones], lastingNodes }).words;
}

describe('hazard 22: what starts clawai', () => {
  it('is absolute: a desktop app has no search path of a shell', () => {
    expect(find()).toEqual([node, entry]);
  });

  it('is the name where every program finds it, and a fit Node with it', () => {
    symlinkSync(entry, join(everyones, 'clawai'));
    expect(find()).toEqual([node, entry]);
    symlinkSync(node, join(everyones, 'node'));
    expect(find()).toEqual(['clawai']);
  });

  it('is not the name where that is another clawai', () => {
    writeFileSync(join(everyones, 'clawai'), '');
    symlinkSync(node, join(everyones, 'node'));
    expect(find()).toEqual([node, entry]);
  });

  it('is a path to this Node that stays when it is upgraded, where there is one', () => {
    const lasting = join(folder, 'node');
    const other = join(folder, 'other-node');
    writeFileSync(other, '');
    symlinkSync(node, lasting);
    expect(find('darwin', [other, lasting])).toEqual([lasting, entry]);
    expect(find('win32', [lasting])).toEqual([node, entry]);
  });

  it('says so where it may go away', () => {
    const cached = join(folder, '_npx', 'x', 'clawai.mjs');
    const { warning } = findLauncher({ platform: 'linux', node, entry: cached, everyonesFolders: [], lastingNodes: [] });
    expect(warning).toMatch(/cache of npx/);
    expect(findLauncher({ platform: 'linux', node, entry, everyonesFolders: [] }).warning).toBeUndefined();
  });

  it('of this installation exists', () => {
    const own = ownInstallation();
    expect([own.node, own.entry].filter((path) => !existsSync(path))).toEqual([]);
  });
});
