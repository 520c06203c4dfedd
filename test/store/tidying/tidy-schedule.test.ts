import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TidySchedule } from '../../../src/store/tidying/tidy-schedule.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { chainFaults, query, storedEvent } from '../../support/stored.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('TidySchedule', () => {
  it('has a long log brought home by a process of its own, while the store is used', async () => {
    const store = new SqliteStore({ file, writerVersion: '1', sync: 'normal' });
    const body = JSON.stringify({ id: 'x'.repeat(50_000) });
    for (let i = 0; i < 100; i++) {
      store.begin();
      store.append(storedEvent('', { body }));
      store.commit();
    }
    const isLong = (): boolean => statSync(`${file}-wal`).size > 4 * 1024 * 1024;
    expect(isLong()).toBe(true);
    for (let i = 0; i < 200 && isLong(); i++) {
      await setTimeout(25);
      if (store.begin()) store.rollback();
    }
    expect(isLong()).toBe(false);
    store.close();
    expect(chainFaults(file)).toEqual([]);
  });

  it('claims the work once for each reason, when what showed the need for it is done', async () => {
    const claims: string[] = [];
    const schedule = new TidySchedule({ file, retention: undefined }, (reason, milliseconds) => {
      claims.push(`${reason} ${milliseconds}`);
      return false;
    });
    for (const bytes of [4e6, 5e6, 5e6, 40e6]) schedule.noteLogSize(bytes);
    expect(claims).toEqual([]);
    await setTimeout(100);
    for (const bytes of [5e6, 40e6, 40e6]) schedule.noteLogSize(bytes);
    await setTimeout(100);
    schedule.noteLogSize(40e6);
    schedule.close();
    expect(claims).toEqual(['long 180000', 'huge 2000']);
  });

  it('is the work of one process, however many see the long log', async () => {
    const stores = [1, 2, 3].map(() => new SqliteStore({ file, writerVersion: '1', sync: 'normal' }));
    const body = JSON.stringify({ id: 'x'.repeat(5_000_000) });
    for (const store of stores) {
      expect(store.begin()).toBe(true);
      store.append(storedEvent('', { body }));
      store.commit();
    }
    await setTimeout(100);
    const expires: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      for (const store of stores) {
        if (store.begin()) store.rollback();
        await setTimeout(60);
        expires.push(query(file, "SELECT expires FROM state WHERE scope = 'tidying' AND key = 'long'"));
      }
    }
    expect(expires[0]).toHaveLength(1);
    expect(new Set(expires.map((rows) => JSON.stringify(rows))).size).toBe(1);
    for (const store of stores) store.close();
  });

  it('is begun by a process that ends after a call, which no timer of its own outlives', async () => {
    const body = JSON.stringify({ id: 'x'.repeat(50_000) });
    const write = (count: number, isBrief: boolean): void => {
      const store = new SqliteStore({ file, writerVersion: '1', sync: 'normal', isBrief });
      for (let i = 0; i < count; i++) {
        store.begin();
        store.append(storedEvent('', { body }));
        store.commit();
      }
      store.close();
    };
    const log = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    const claimed = (): unknown[] => query(file, "SELECT key FROM state WHERE scope = 'tidying'");
    write(10, true);
    expect(claimed()).toEqual([]);
    write(30, false);
    expect(log()).toBeGreaterThan(1024 * 1024);
    write(1, true);
    for (let i = 0; i < 400 && log() > 100_000; i++) await setTimeout(25);
    expect(log()).toBeLessThan(100_000);
    expect(claimed()).toEqual([{ key: 'long' }]);
    expect(chainFaults(file)).toEqual([]);
  });

  it('keeps no process running, and says nothing', () => {
    const source = pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'src', 'store', 'tidying', 'tidy-schedule.ts')).href;
    const code = `
      const { TidySchedule } = await import(${JSON.stringify(source)});
      const schedule = new TidySchedule({ file: ${JSON.stringify(file)}, retention: undefined }, () => true);
      schedule.noteEvent();
      schedule.noteLogSize(1e9);`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 45_000 });
    expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
    expect(existsSync(file)).toBe(false);
  });
});
