// A process in which calls are made that were seen before: `node seen-call-process.mjs FILE CALLS`. Prints a line once it is ready, begins when it
// reads one, and then prints which seen calls it took, as JSON.
import { readSync, writeSync } from 'node:fs';
import { KeyedSeenCalls } from '../../src/gate/model/seen-calls.ts';
import { ServerCallLinks } from '../../src/gate/model/call-links.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

const [file, calls] = process.argv.slice(2);
const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
const seenCalls = new KeyedSeenCalls(
  (work) => store.inSeenCalls(work),
  () => Buffer.from('key'),
);
const second = new ServerCallLinks({
  clock: { now: () => Date.now(), elapsed: () => 0 },
  session: () => 's',
  seenCalls: () => seenCalls,
  sink: {},
  warn: () => {},
});

function begin() {
  while (!store.begin()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

begin();
store.commit();
writeSync(1, 'ready\n');
readSync(0, Buffer.alloc(1));
const taken = [];
for (let i = 0; i < Number(calls); i++) {
  begin();
  // Half of the clients say which call it is.
  const extra = i % 2 === 0 ? {} : { _meta: { callId: `id-${i}` } };
  const found = second.take({ method: 'tools/call', server: 'files', tool: 'write', args: { i: i % 10 }, extra });
  store.commit();
  if (found !== undefined) taken.push(found.record);
}
writeSync(1, `${JSON.stringify(taken)}\n`);
store.close();
