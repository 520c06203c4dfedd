import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeclaredServer } from '../../src/config/config.ts';
import {
  addWrapped,
  loadRemoteServers,
  readRemoteState,
  rememberLeft,
  remoteStateFile,
  remoteStateStamp,
  removeWrapped,
} from '../../src/remote/remote-state.ts';
import { support } from '../support/sandbox.ts';

let stateDir: string;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-remote-'));
  stateDir = join(folder, 'a/state');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = 'abcdefghijklmnopqrst-_';

function declared(id: string, more: Partial<DeclaredServer> = {}): DeclaredServer {
  return { id, url: `https://${id}.example/mcp`, secret: undefined, headers: {}, tlsFingerprint: undefined, ...more };
}

function wrapped(pointer: string, file = '/f.json') {
  return { name: 'wiki', url: 'https://w.example/', secret: SECRET, group: 'client:cursor', file, pointer };
}

describe('declared servers', () => {
  it('get a secret of 128 bits that stays theirs', () => {
    const servers = [declared('a'), declared('b', { headers: { X: 'y' }, tlsFingerprint: 'sha256:00' })];
    const first = loadRemoteServers({ stateDir, servers });
    expect(first).toEqual([
      {
        name: 'a',
        url: 'https://a.example/mcp',
        secret: expect.stringMatching(/^[\w-]{22}$/),
        headers: {},
        tlsFingerprint: undefined,
        group: 'declared',
      },
      {
        name: 'b',
        url: 'https://b.example/mcp',
        secret: expect.stringMatching(/^[\w-]{22}$/),
        headers: { X: 'y' },
        tlsFingerprint: 'sha256:00',
        group: 'declared',
      },
    ]);
    expect(first[0]?.secret).not.toBe(first[1]?.secret);
    expect(loadRemoteServers({ stateDir, servers: [declared('b'), declared('c'), declared('a')] })).toMatchObject([
      { name: 'b', secret: first[1]?.secret },
      { name: 'c' },
      { name: 'a', secret: first[0]?.secret },
    ]);
  });

  it('keep the secret that the config gives them, and nothing is written for them', () => {
    expect(loadRemoteServers({ stateDir, servers: [declared('a', { secret: SECRET })] })).toMatchObject([{ secret: SECRET }]);
    expect(existsSync(stateDir)).toBe(false);
  });

  it('come before the wrapped ones', () => {
    addWrapped(stateDir, [wrapped('/m/wiki')]);
    expect(loadRemoteServers({ stateDir, servers: [declared('a')] }).map(({ name, group }) => [name, group])).toEqual([
      ['a', 'declared'],
      ['wiki', 'client:cursor'],
    ]);
  });
});

describe('wrapped servers', () => {
  it('are remembered once for each place, and forgotten by it', () => {
    addWrapped(stateDir, [wrapped('/m/a'), wrapped('/m/b')]);
    addWrapped(stateDir, [{ ...wrapped('/m/a'), url: 'https://other.example/' }, wrapped('/m/a', '/g.json')]);
    expect(readRemoteState(stateDir).wrapped.map(({ file, pointer, url }) => [file, pointer, url])).toEqual([
      ['/f.json', '/m/b', 'https://w.example/'],
      ['/f.json', '/m/a', 'https://other.example/'],
      ['/g.json', '/m/a', 'https://w.example/'],
    ]);
    removeWrapped(stateDir, [
      { file: '/f.json', pointer: '/m/a' },
      { file: '/f.json', pointer: '/m/none' },
    ]);
    expect(readRemoteState(stateDir).wrapped.map(({ file, pointer }) => file + pointer)).toEqual(['/f.json/m/b', '/g.json/m/a']);
  });

  it('hazard: several wraps at once lose none of them', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const processes = names.map((name) =>
      spawn(process.execPath, [support('remote-state-process.mjs'), stateDir, name, '10'], { stdio: 'ignore' }),
    );
    const ends = await Promise.all(processes.map((child) => once(child, 'exit')));
    expect(ends.map(([code]: unknown[]) => code)).toEqual([0, 0, 0, 0]);
    expect(readRemoteState(stateDir).wrapped).toHaveLength(40);
    expect(readdirSync(stateDir)).toEqual(['remote-servers.json']);
  });
});

describe('the file', () => {
  it('is for this user only, and so is its folder', () => {
    addWrapped(stateDir, [wrapped('/m/a')]);
    expect([statSync(remoteStateFile(stateDir)).mode & 0o777, statSync(stateDir).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('has a stamp that changes with it, and only then', () => {
    const none = remoteStateStamp(stateDir);
    addWrapped(stateDir, [wrapped('/m/a')]);
    const one = remoteStateStamp(stateDir);
    removeWrapped(stateDir, [{ file: '/f.json', pointer: '/m/none' }]);
    expect(remoteStateStamp(stateDir)).toBe(one);
    addWrapped(stateDir, [wrapped('/m/a')]);
    expect(new Set([none, one, remoteStateStamp(stateDir)]).size).toBe(3);
  });

  it.each(['', '{}', '{"format":1,"declared":[]}', 'no JSON'])('that says %j is an error, and is never written over', (text) => {
    mkdirSync(stateDir, { recursive: true });
    writeFileSync(remoteStateFile(stateDir), text);
    const failure = expect.objectContaining({
      code: 'remote_state_damaged',
      hint: expect.stringContaining('clawai unwrap --all'),
    });
    for (const attempt of [
      () => loadRemoteServers({ stateDir, servers: [declared('a')] }),
      () => addWrapped(stateDir, [wrapped('/m/a')]),
      () => removeWrapped(stateDir, [wrapped('/m/a')]),
    ]) {
      expect(attempt).toThrow(failure);
    }
    expect(readFileSync(remoteStateFile(stateDir), 'utf8')).toBe(text);
  });

  it('that is a folder, or lies behind a file, is an error for people', () => {
    mkdirSync(remoteStateFile(stateDir), { recursive: true });
    expect(() => readRemoteState(stateDir)).toThrow(/cannot be read: it is a folder/);
    writeFileSync(join(folder, 'file'), '');
    expect(() => addWrapped(join(folder, 'file/state'), [wrapped('/m/a')])).toThrow(/cannot be created/);
  });
});

describe('entries that were left alone', () => {
  const left = (pointer: string, entry = 'ab') => ({ file: '/f.json', pointer, entry, reason: 'login' });

  it('are remembered beside the wrapped ones, and each is forgotten when its server is asked again', () => {
    addWrapped(stateDir, [wrapped('/a')]);
    rememberLeft(stateDir, [left('/b'), left('/c'), left('/d')], [left('/b'), left('/c')]);
    rememberLeft(stateDir, [left('/b'), left('/d')], [left('/d')]);
    addWrapped(stateDir, [wrapped('/e')]);
    expect(readRemoteState(stateDir)).toEqual({
      declared: [],
      wrapped: [wrapped('/a'), wrapped('/e')],
      left: [left('/c'), left('/d')],
    });
  });

  it('need no file where there are none, and none is written anew for the same', () => {
    rememberLeft(stateDir, [left('/a')], []);
    expect(existsSync(stateDir)).toBe(false);
    rememberLeft(stateDir, [left('/a')], [left('/a')]);
    const stamp = remoteStateStamp(stateDir);
    rememberLeft(stateDir, [left('/a')], [left('/a')]);
    expect(remoteStateStamp(stateDir)).toBe(stamp);
  });
});
