import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock, whileLocked, type LockOptions } from '../../src/host/lock.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-lock-'));
  path = join(folder, 'config.json.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

function options(kind: LockOptions['kind'], more: Partial<LockOptions> = {}): LockOptions {
  return { path, kind, staleAfterMs: 10_000, waitMs: 150, purpose: 'config.json', ...more };
}

function age(milliseconds: number): void {
  const time = (Date.now() - milliseconds) / 1000;
  utimesSync(path, time, time);
}

describe.each(['directory', 'owned-directory'] as const)('a lock of kind %s', (kind) => {
  it('is a folder while it is held, and gone afterwards', async () => {
    const lock = await takeLock(options(kind));
    expect(statSync(path).isDirectory()).toBe(true);
    expect(readdirSync(path).map((name) => name.split('.')[0])).toEqual(kind === 'directory' ? [] : ['owner']);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('waits for who holds it', async () => {
    const first = await takeLock(options(kind));
    const second = takeLock(options(kind, { waitMs: 5000 }));
    await rest(100);
    first.release();
    (await second).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gives up after a while, and leaves the lock alone', async () => {
    const first = await takeLock(options(kind));
    await expect(takeLock(options(kind))).rejects.toMatchObject({ code: 'client_config_busy' });
    first.refresh();
    first.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes over one that nobody touched for longer than its client allows', async () => {
    const first = await takeLock(options(kind));
    age(9000);
    await expect(takeLock(options(kind))).rejects.toMatchObject({ code: 'client_config_busy' });
    age(11_000);
    const second = await takeLock(options(kind));
    expect(() => first.refresh()).toThrow(/took over the lock/);
    first.release();
    second.refresh();
    second.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is touched while it is held', async () => {
    const lock = await takeLock(options(kind));
    const before = statSync(path).mtimeMs;
    await rest(1300);
    expect(statSync(path).mtimeMs).toBeGreaterThan(before);
    lock.refresh();
    lock.release();
    expect(existsSync(path)).toBe(false);
  });

  it('is held by one at a time', async () => {
    let holders = 0;
    let most = 0;
    const once = async (): Promise<void> => {
      const lock = await takeLock(options(kind, { waitMs: 10_000 }));
      most = Math.max(most, ++holders);
      await rest(5);
      holders--;
      lock.release();
    };
    await Promise.all(Array.from({ length: 12 }, once));
    expect(most).toBe(1);
  });

  it('that cannot be made is an error', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(takeLock(options(kind, { path: join(folder, 'file', 'lock') }))).rejects.toMatchObject({
      code: 'client_config_unwritable',
    });
  });
});

describe('what other programs leave there', () => {
  it("a file of the lock's name is no lock to those that lock with folders", async () => {
    writeFileSync(path, '');
    const lock = await takeLock(options('directory'));
    lock.refresh();
    lock.release();
    expect(statSync(path).isFile()).toBe(true);
  });

  it("Cline's own lock is waited for", async () => {
    mkdirSync(path);
    writeFileSync(join(path, 'owner.123.456.abc'), '');
    await expect(takeLock(options('owned-directory'))).rejects.toMatchObject({ code: 'client_config_busy' });
    expect(readdirSync(path)).toEqual(['owner.123.456.abc']);
  });
});

describe('our own lock', () => {
  it.each([
    ['is void when the process that held it is gone', hostname(), true],
    ['of another machine is waited for', 'another-host', false],
  ])('%s', async (_name, host, isVoid) => {
    mkdirSync(path);
    writeFileSync(join(path, `owner.4194305.1.abc.${host}`), '');
    const taking = takeLock(options('owned-directory', { diesWithOwner: true }));
    if (isVoid) (await taking).release();
    else await expect(taking).rejects.toMatchObject({ code: 'client_config_busy' });
    expect(existsSync(path)).toBe(!isVoid);
  });

  it('of a living process is not', async () => {
    mkdirSync(path);
    writeFileSync(join(path, `owner.${process.pid}.1.abc.${hostname()}`), '');
    await expect(takeLock(options('owned-directory', { diesWithOwner: true }))).rejects.toMatchObject({
      code: 'client_config_busy',
    });
  });
});

describe('whileLocked', () => {
  it('holds the lock during the action, and gives it back whatever becomes of that', () => {
    expect(whileLocked(options('owned-directory'), () => existsSync(path))).toBe(true);
    const failing = (): never => {
      throw new Error('no');
    };
    expect(() => whileLocked(options('owned-directory'), failing)).toThrow('no');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gives up after a while, as the caller calls it, and does nothing', async () => {
    const first = await takeLock(options('owned-directory'));
    let isDone = false;
    const attempt = (): void =>
      whileLocked(options('owned-directory', { code: 'remote_state_unusable' }), () => void (isDone = true));
    expect(attempt).toThrow(expect.objectContaining({ code: 'remote_state_unusable' }));
    first.release();
    expect(isDone).toBe(false);
  });
});
