import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { KeyedSeenCalls } from '../../../src/gate/model/seen-calls.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { Running } from '../../support/running.ts';
import { support } from '../../support/sandbox.ts';
import { query } from '../../support/stored.ts';

const PROCESSES = 4;
const CALLS = 100;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-seen-calls-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('hazard 38: of many processes that make the same calls at once, each seen call is taken by one', async () => {
  const file = join(folder, 'clawai.db');
  const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
  const seenCalls = new KeyedSeenCalls(
    (work) => store.inSeenCalls(work),
    () => Buffer.from('key'),
  );
  store.begin();
  const seen = Array.from({ length: CALLS }, (_, i) => `r.${i}`);
  for (const [i, record] of seen.entries()) {
    const call = { server: 'files', tool: 'write', args: { i: i % 10 } };
    seenCalls.add('s', call, { record, time: Date.now(), toolUseId: `id-${i}`, isDenied: false, granted: undefined });
  }
  store.commit();
  store.close();
  const running = Array.from(
    { length: PROCESSES },
    () => new Running([process.execPath, support('seen-call-process.mjs'), file, String(CALLS)], { env: {}, cwd: folder }),
  );
  await Promise.all(running.map((one) => one.lines(1)));
  for (const one of running) one.send('\n');
  const ended = await Promise.all(running.map((one) => one.ended));
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: '' })));
  const taken = ended.flatMap(({ stdout }) => JSON.parse(stdout.split('\n')[1] ?? '') as string[]);
  // There are more calls than seen calls of each, so that none is left.
  expect(taken.toSorted()).toEqual(seen.toSorted());
  expect(query(file, 'SELECT count(*) AS n FROM sightings')).toEqual([{ n: 0 }]);
});
