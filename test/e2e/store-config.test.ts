import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/store/schema.ts';
import { storeFile } from '../../src/store/private-file.ts';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded, ping, StoreHolder } from '../support/guarded.ts';
import { Running } from '../support/running.ts';
import { alter, chainFaults, query } from '../support/stored.ts';

const sandbox = useSandbox();

describe('[audit] in config.toml', () => {
  it('jsonl = true: what is committed is copied, in order, into a file that only the user can read', async () => {
    const guarded = new Guarded(sandbox.current, { config: '[audit]\njsonl = true' });
    guarded.send(call(1), call(2), ping(3), call(4));
    await guarded.answerTo(4);
    await guarded.process.close();
    const file = join(dirname(sandbox.current.storeFile), 'events.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bodies = query(sandbox.current.storeFile, 'SELECT body FROM events ORDER BY seq').map(({ body }) => String(body));
    expect(bodies).toHaveLength(4);
    expect(readFileSync(file, 'utf8')).toBe(bodies.map((body) => `${body}\n`).join(''));
  });

  it('jsonl: what was taken back is not in the copy either', async () => {
    const guarded = new Guarded(sandbox.current, { config: '[audit]\njsonl = true' });
    await guarded.call(1);
    const holder = await StoreHolder.hold(sandbox.current);
    expect(isUnrecorded(await guarded.call(2))).toBe(true);
    await holder.release();
    await guarded.process.close();
    const copy = readFileSync(join(dirname(sandbox.current.storeFile), 'events.jsonl'), 'utf8');
    expect(copy.match(/"jsonrpc_id":\d+/g)).toEqual(['"jsonrpc_id":1']);
  });

  it('state_dir: store and copy are there, and nothing elsewhere', async () => {
    const state = sandbox.current.path('elsewhere');
    const guarded = new Guarded(sandbox.current, { config: `state_dir = "${state}"\n[audit]\njsonl = true` });
    await guarded.call(1);
    await guarded.process.close();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(chainFaults(storeFile(state))).toEqual([]);
    expect(existsSync(join(state, 'events.jsonl'))).toBe(true);
    expect(existsSync(sandbox.current.state)).toBe(false);
  });

  const hasTracer = spawnSync('strace', ['-V']).status === 0;
  it.runIf(hasTracer).each([
    ['full', true],
    ['normal', false],
  ])('sync = "%s": the disk is waited for with each commit: %s', async (sync, isWaited) => {
    const { current } = sandbox;
    // Made before, since making it may wait.
    const first = new Guarded(current, { name: 'first' });
    await first.call(0);
    await first.process.close();
    const trace = current.path('trace');
    const policy = current.write('policy.toml', '[defaults]\naction = "allow"\n');
    const config = current.write('config.toml', `[audit]\nsync = "${sync}"\n`);
    const flags = ['--policy', policy, '--config', config];
    const server = [process.execPath, join(import.meta.dirname, '..', 'support', 'recording-server.mjs'), current.path('seen')];
    const tracer = ['strace', '-f', '-qq', '-o', trace, '-e', 'trace=fsync,fdatasync'] as const;
    const traced = new Running([...tracer, ...current.command('proxy', ...flags, '--', ...server)], {
      env: current.env,
      cwd: current.folder,
    });
    for (let id = 1; id <= 5; id++) {
      traced.send(`${call(id)}\n`);
      await traced.lines(id);
    }
    await traced.close();
    const syncs = readFileSync(trace, 'utf8').match(/f(?:data)?sync\(/g)?.length ?? 0;
    if (isWaited) expect(syncs).toBeGreaterThanOrEqual(5);
    else expect(syncs).toBe(0);
  });
});

describe('versions of clawai on one store', () => {
  const LATER = MIGRATIONS.length + 1;

  /** What a newer clawai does to the tables. */
  function migrateLater(oldestWriter: number): void {
    alter(
      sandbox.current.storeFile,
      `ALTER TABLE events ADD COLUMN later TEXT; CREATE TABLE later (a TEXT) STRICT;
       UPDATE meta SET value = '${oldestWriter}' WHERE key = 'min_writer'; PRAGMA user_version = ${LATER}`,
    );
  }

  it.each(['before it starts', 'while it runs'])('a newer one that lets us write came %s: calls are recorded', async (when) => {
    const first = new Guarded(sandbox.current, { name: 'first' });
    await first.call(0);
    if (when === 'before it starts') migrateLater(MIGRATIONS.length);
    const guarded = new Guarded(sandbox.current);
    await guarded.call(1);
    if (when === 'while it runs') migrateLater(MIGRATIONS.length);
    guarded.send(call(2), ping(3), call(4));
    await guarded.answerTo(4);
    await first.call(5);
    const ended = await Promise.all([guarded.process.close(), first.process.close()]);
    expect(ended.map(({ stderr }) => stderr)).toEqual(['', '']);
    expect(guarded.reached()).toEqual([1, 2, 3, 4]);
    expect(guarded.answers().some(isUnrecorded)).toBe(false);
    const bodies = query(sandbox.current.storeFile, "SELECT body FROM events WHERE type = 'mcp_tool_called'");
    const ids = bodies.map(({ body }) => (JSON.parse(String(body)) as { jsonrpc_id: number }).jsonrpc_id);
    expect(ids.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 4, 5]);
    expect(chainFaults(sandbox.current.storeFile)).toEqual([]);
    expect(query(sandbox.current.storeFile, 'PRAGMA user_version')).toEqual([{ user_version: LATER }]);
  });

  it('a newer one that does not let us write came while it runs: calls are denied, and the reason is said', async () => {
    const guarded = new Guarded(sandbox.current);
    await guarded.call(1);
    migrateLater(LATER);
    expect(isUnrecorded(await guarded.call(2))).toBe(true);
    await guarded.process.close();
    expect(guarded.said()[0]).toMatch(/was written by a newer clawai/);
    expect(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM events')).toEqual([{ n: 1 }]);
  });
});
