// A process that calls a server as fast as it can: `node rate-process.mjs FILE POLICY CALLS`. Prints a line once it is ready, begins when
// it reads one, and then prints how many of its calls went on.
import { readSync, writeSync } from 'node:fs';
import { decide } from '../../src/core/decide/decide.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import { Rates } from '../../src/gate/calls/rates.ts';
import { BucketRows } from '../../src/store/rows/bucket-rows.ts';
import { SqliteStore } from '../../src/store/sqlite-store.ts';

const [file, text, calls] = process.argv.slice(2);
const policy = compilePolicy(parsePolicy(text, { file: 'p.toml' }).policy);
const store = new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
const clock = { now: () => Date.now(), elapsed: () => 0 };
const rates = new Rates({ buckets: new BucketRows(store), clock }, () => policy);
const paths = { home: '/home/u', cwd: '/home/u', platform: 'posix', remote: false };
const call = { method: 'tools/call', server: 'web', tool: 'search' };

function begin() {
  while (!store.begin()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/** Whether it goes on, decided and counted in one transaction, as the gate does it. */
function goesOn() {
  begin();
  const { action } = decide(call, { policy, paths, realPaths: new Map(), rates: rates.snapshot(call) });
  if (action === 'allow') rates.spend(call);
  store.append({
    type: 't',
    time: Date.now(),
    session: 's',
    server: 'web',
    action: action === 'allow' ? 'allow' : 'block',
    body: '{}',
  });
  store.commit();
  return action === 'allow';
}

begin();
store.commit();
writeSync(1, 'ready\n');
readSync(0, Buffer.alloc(1));
let passed = 0;
for (let i = 0; i < Number(calls); i++) if (goesOn()) passed++;
writeSync(1, `${passed}\n`);
store.close();
