import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { useSandbox } from '../support/attempt.ts';
import { Guarded, isUnrecorded, rest } from '../support/guarded.ts';
import { ROOT } from '../support/run-cli.ts';
import { chainFaults, query, storedEvent, storedIds } from '../support/stored.ts';

it('the process that tidies the store runs from the bundle, with no other file of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  try {
    const file = join(folder, 'clawai.db');
    const store = new SqliteStore({ file, writerVersion: '1', sync: 'normal' });
    for (const id of ['a', 'b', 'c']) {
      store.begin();
      store.append(storedEvent(id));
      store.commit();
    }
    expect(readdirSync(join(ROOT, 'dist'))).toContain('tidy-worker.mjs');
    const task = JSON.stringify({ file, retention: { retain: 0, maxSize: 1e9 } });
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist', 'tidy-worker.mjs'), task], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(storedIds(file)).toEqual(['c']);
    expect(statSync(`${file}-wal`).size).toBeLessThan(20_000);
    store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('the store of a user', () => {
  const sandbox = useSandbox();
  const count = (): number => Number(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM events')[0]?.['n']);
  const logSize = (): number => statSync(`${sandbox.current.storeFile}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  /** Leaves a log of so many megabytes. */
  function makeLog(megabytes: number): void {
    mkdirSync(dirname(sandbox.current.storeFile), { recursive: true });
    const store = new SqliteStore({ file: sandbox.current.storeFile, writerVersion: '1', sync: 'normal' });
    const time = Date.now();
    const columns = { type: 'mcp_tool_called', timestamp: new Date(time).toISOString(), session_id: 's', server_id: 'files' };
    const body = JSON.stringify({ ...columns, text: 'x'.repeat(100_000) });
    for (let i = 0; i < megabytes * 10; i++) {
      store.begin();
      store.append(storedEvent('old', { body, time }));
      store.commit();
    }
    store.close();
  }

  it('has a process tidy the store while it goes on', async () => {
    makeLog(6);
    const guarded = new Guarded(sandbox.current, { config: '[audit]\nretain = "1h"\nmax_size = "1 MiB"\n' });
    const ids: number[] = [];
    for (let id = 0; id < 2000 && (logSize() > 2_000_000 || count() > 30); id++) {
      await guarded.call(id);
      ids.push(id);
      await rest(25);
    }
    expect(count()).toBeLessThanOrEqual(30 + ids.length);
    expect(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM checkpoints')).toEqual([{ n: 1 }]);
    expect(logSize()).toBeLessThan(2_000_000);
    const { code, stderr } = await guarded.process.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(guarded.answers().map(({ id }) => id)).toEqual(ids);
    expect(chainFaults(sandbox.current.storeFile)).toEqual([]);
    const verify = await sandbox.current.clawai('audit', 'verify').close();
    expect([verify.code, verify.stdout]).toEqual([0, expect.stringContaining('intact')]);
  });

  it('has a log brought home that only hooks have written, of which each ends after a call', async () => {
    makeLog(2);
    expect(logSize()).toBeGreaterThan(1024 * 1024);
    const hook = sandbox.current.clawai('hook', 'codex');
    hook.stdin.end(
      JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'view_image', tool_input: {}, tool_use_id: 'call_1' }),
    );
    expect(await hook.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    for (let i = 0; i < 400 && logSize() > 100_000; i++) await rest(25);
    expect(logSize()).toBeLessThan(100_000);
    expect(chainFaults(sandbox.current.storeFile)).toEqual([]);
  });

  it('leaves a huge log to that process before it opens the store, and calls wait meanwhile', async () => {
    makeLog(40);
    expect(logSize()).toBeGreaterThan(32 * 1024 * 1024);
    const guarded = new Guarded(sandbox.current);
    const answer = await guarded.call(1);
    expect(isUnrecorded(answer)).toBe(false);
    for (let i = 0; i < 2000 && logSize() > 2_000_000; i++) await rest(25);
    expect(logSize()).toBeLessThan(2_000_000);
    const { code, stderr } = await guarded.process.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(guarded.reached()).toEqual([1]);
    expect(count()).toBe(402);
  });
});
