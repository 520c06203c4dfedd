/** @module-tag long */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Running } from '../support/running.ts';
import { runs, TEST_RUNS } from '../support/runs.ts';
import { support } from '../support/sandbox.ts';
import { chainFaults, query, storedIds } from '../support/stored.ts';
import { until } from '../support/until.ts';

/** `TEST_RUNS=10` makes these take minutes and find rarer things. */
const isLong = TEST_RUNS > 1;
const HAMMER = { processes: 8, ms: runs(1500) };
const KILLS = runs(12);

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-store-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function start(mode: string, name: string, ms = 60_000): Running {
  return new Running([process.execPath, support('store-process.mjs'), mode, file, name, String(ms)], { env: {}, cwd: folder });
}

function printed<T = string>(running: Running): T[] {
  const lines = running.stdout.toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}

describe('many processes', () => {
  it(
    'hazard 38: share one store: every event is there once, and of simultaneous calls the rule lets one pass, never two',
    async () => {
      const running = Array.from({ length: HAMMER.processes }, (_, i) => start('hammer', `p${i}`));
      await Promise.all(running.map((one) => one.lines(1)));
      for (const one of running) one.send('\n');
      await setTimeout(HAMMER.ms);
      // They meet: not all of the calls that pass are of one process.
      const winners = "SELECT DISTINCT writer FROM events WHERE action = 'allow'";
      await until('another one to be the first', () => query(file, winners).length > 1);
      writeFileSync(`${file}.stop`, '');
      const ended = await Promise.all(running.map((one) => one.ended));
      expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: '' })));
      const counts = ended.map(({ stdout }) => Number(stdout.split('\n')[1]));
      expect(Math.min(...counts)).toBeGreaterThan(0);
      const expected = counts.flatMap((count, p) =>
        Array.from({ length: count }, (_, i) => [`p${p}.${i}`, `p${p}.call-${i}`]).flat(),
      );
      expect(storedIds(file).toSorted()).toEqual(expected.toSorted());
      expect(chainFaults(file)).toEqual([]);
      const calls = Math.max(...counts);
      const passed = query(file, "SELECT tool, count(*) AS times FROM events WHERE action = 'allow' GROUP BY tool");
      expect(passed).toHaveLength(calls);
      expect(passed.filter(({ times }) => times !== 1)).toEqual([]);
      if (isLong) console.log(`${expected.length} events of ${HAMMER.processes} processes; calls of each: ${counts.join(' ')}`);
    },
    HAMMER.ms * 4 + 60_000,
  );

  it(
    'hazard 51: lose nothing that was forwarded when they are killed at any moment, and keep its order',
    async () => {
      const forwarded: string[][] = [];
      for (let round = 0; round < KILLS; round += 2) {
        const pair = [start('forward', `r${round}`), start('forward', `r${round + 1}`)];
        await Promise.all(pair.map((one) => one.lines(1)));
        for (const one of pair) {
          await setTimeout(Math.random() * 60);
          one.kill('SIGKILL');
        }
        await Promise.all(pair.map((one) => one.ended));
        forwarded.push(...pair.map((one) => printed(one)));
        if (isLong) expect(chainFaults(file)).toEqual([]);
      }
      const stored = storedIds(file);
      const byName = Map.groupBy(stored, (id) => id.split('.')[0]);
      for (const ids of forwarded) {
        expect(ids.length).toBeGreaterThan(0);
        const found = byName.get(ids[0]?.split('.')[0]) ?? [];
        // One more may be there: committed, and killed before it was printed.
        expect(found.slice(0, ids.length)).toEqual(ids);
        expect(found.length - ids.length).toBeLessThanOrEqual(1);
      }
      expect(chainFaults(file)).toEqual([]);
      const { ended } = start('once', 'after');
      expect((await ended).stdout).toBe('"recorded"\n');
      if (isLong) console.log(`${forwarded.flat().length} forwarded events, ${KILLS} kills`);
    },
    KILLS * 1000 + 60_000,
  );

  it(
    'hazard 38: note calls of one session, in one order and each once, also when they are killed at any moment',
    async () => {
      const noted: [id: string, n: number][] = [];
      for (let round = 0; round < KILLS / 4; round++) {
        const names = ['a', 'b', 'c'].map((name) => `${name}${round}`);
        const running = names.map((name) => start('session', name));
        await Promise.all(running.map((one) => one.lines(2)));
        // They meet: the places of one are not next to each other.
        await until('them to meet', () => {
          const places = printed<[string, number]>(running[0] as Running).map(([, n]) => n);
          return (places.at(-1) ?? 0) - (places[0] ?? 0) >= places.length;
        });
        for (const one of running) {
          await setTimeout(20 + Math.random() * 60);
          one.kill('SIGKILL');
        }
        const ended = await Promise.all(running.map((one) => one.ended));
        expect(ended.map(({ stderr }) => stderr).join('')).toBe('');
        noted.push(...running.flatMap((one) => printed<[string, number]>(one)));
      }
      const stored = query(file, 'SELECT id, n FROM session_calls ORDER BY n').map(
        ({ id, n }) => [String(id), Number(n)] as const,
      );
      const places = new Map(stored);
      // What no session looks back at any more has gone.
      const oldest = stored[0]?.[1] ?? Number.NaN;
      expect(noted.filter(([id, n]) => n >= oldest && places.get(id) !== n)).toEqual([]);
      expect(new Set(noted.map(([, n]) => n)).size).toBe(noted.length);
      expect(stored.map(([, n]) => n - oldest)).toEqual(stored.map((_, i) => i));
      expect(stored.filter(([id]) => id.includes('lost'))).toEqual([]);
    },
    KILLS * 1000 + 60_000,
  );

  it('make one new store together', async () => {
    const running = Array.from({ length: 8 }, (_, i) => start('once', `p${i}`));
    const ended = await Promise.all(running.map((one) => one.ended));
    expect(ended.map(({ stdout, stderr }) => stdout + stderr)).toEqual(ended.map(() => '"recorded"\n'));
    expect(storedIds(file).toSorted()).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']);
    expect(chainFaults(file)).toEqual([]);
  });
});
