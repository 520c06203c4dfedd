import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { type CliResult, runCli } from '../../support/run-cli.ts';

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'clawai-verify-'));
});
afterEach(() => rmSync(state, { recursive: true }));

function record(edit?: string): void {
  const store = new RecordedStore(join(state, 'clawai', 'clawai.db'));
  store.edit('BEGIN');
  for (let i = 0; i < 1001; i += 1) store.add(recordedCall({ id: String(i) }));
  store.edit('COMMIT');
  if (edit !== undefined) store.edit(edit);
  store.close();
}

function run(...args: readonly string[]): Promise<CliResult> {
  return runCli(['audit', 'verify', ...args], { env: { XDG_STATE_HOME: state, TZ: 'UTC' } });
}

const NOT_PROVEN = 'not proven: that nobody rewrote the whole chain or removed newest events of a writer\n';

it('an intact store is said to be, with what that does not prove', async () => {
  record();
  expect(await run()).toEqual({ code: 0, stderr: '', stdout: `1,001 events of 1 writer: intact\n${NOT_PROVEN}` });
  const { code, stdout } = await run('--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { intact: true, events: 1001, writers: 1, erased: 0, fault_count: 0, faults: [] },
  ]);
});

it('each fault is named with its place', async () => {
  record(
    `DELETE FROM events WHERE seq = 5; UPDATE events SET body = '{}' WHERE seq = 9; UPDATE events SET body = NULL WHERE seq = 10`,
  );
  const { code, stdout, stderr } = await run();
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout.split('\n')).toEqual([
    'missing_events  writer 00000000000000aa  event 6  seq 6  2026-03-01 12:00:00.000  event 5 before it is missing',
    'edited_body  writer 00000000000000aa  event 9  seq 9  2026-03-01 12:00:00.000  its body is not the one that was recorded',
    'missing_body  writer 00000000000000aa  event 10  seq 10  2026-03-01 12:00:00.000  its body is missing',
    '1,000 events of 1 writer: 3 faults',
    NOT_PROVEN.trimEnd(),
    '',
  ]);
  const json = await run('--json');
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    1,
    { intact: false, fault_count: 3, faults: [{ kind: 'missing_events', n: 6, time: '2026-03-01T12:00:00.000Z' }, {}, {}] },
  ]);
});

it('a thousand faults are shown, and all are counted', async () => {
  record('UPDATE events SET time = time + 1');
  const { code, stdout } = await run();
  expect(code).toBe(1);
  expect(stdout).toContain('\n… and 1 more fault\n1,001 events of 1 writer: 1,001 faults\n');
});

it('hazard 52: where there was nothing to verify it is not called intact', async () => {
  const missing = await run();
  expect(missing).toEqual({
    code: 2,
    stdout: 'nothing was verified: there are no events\n',
    stderr: expect.stringContaining('nothing was recorded yet'),
  });
  new RecordedStore(join(state, 'clawai', 'clawai.db')).close();
  expect(await run()).toMatchObject({ code: 2, stdout: 'nothing was verified: there are no events\n' });
  const { code, stdout } = await run('--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { intact: null, events: 0 }]);
});

it('a store that cannot be read is an error', async () => {
  record('DROP TABLE checkpoints');
  expect(await run()).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is damaged') });
});
