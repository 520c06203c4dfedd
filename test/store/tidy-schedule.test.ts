import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { chainFaults, storedEvent } from '../support/stored.ts';

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
      await new Promise((settle) => setTimeout(settle, 25));
      if (store.begin()) store.rollback();
    }
    expect(isLong()).toBe(false);
    store.close();
    expect(chainFaults(file)).toEqual([]);
  });

  it('keeps no process running, and says nothing', () => {
    const source = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'store', 'tidy-schedule.ts')).href;
    const code = `
      const { TidySchedule } = await import(${JSON.stringify(source)});
      const schedule = new TidySchedule(${JSON.stringify(file)}, undefined);
      schedule.noteEvent();
      schedule.noteLogSize(1e9);`;
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 15_000 });
    expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(existsSync(file)).toBe(false);
  });
});
