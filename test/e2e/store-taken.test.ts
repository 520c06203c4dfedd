import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded, ping, rest, StoreHolder } from '../support/guarded.ts';

/** A store that another process keeps to itself. */
const sandbox = useSandbox();

/** A server that tells the time every 2 ms, and answers. */
const TICKING = `
  import { createInterface } from 'node:readline';
  setInterval(() => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'tick', params: { at: Number(process.hrtime.bigint()) / 1e6 } })), 2);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id } = JSON.parse(line);
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  }
  process.exit();`;

/** Makes the store, so that there is one to be held. */
async function makeStore(): Promise<void> {
  const first = new Guarded(sandbox.current, { name: 'first' });
  await first.call('first');
  await first.process.close();
}

it.each(['write', 'all'] as const)(
  'for a moment (%s): calls wait, then go on in order with what came behind them',
  async (mode) => {
    await makeStore();
    const guarded = new Guarded(sandbox.current);
    guarded.send(ping('up'));
    await guarded.answerTo('up');
    const holder = await StoreHolder.hold(sandbox.current, mode);
    guarded.send(ping(1), call(2), ping(3), call(4));
    await rest(50);
    guarded.send(ping(5), call(6));
    await rest(250);
    expect(guarded.reached()).toEqual(['up', 1]);
    await holder.release();
    guarded.send(ping(7));
    await guarded.answerTo(7);
    const { stderr } = await guarded.process.close();
    expect(guarded.reached()).toEqual(['up', 1, 2, 3, 4, 5, 6, 7]);
    expect(guarded.answers().map(({ id }) => id)).toEqual(['up', 1, 2, 3, 4, 5, 6, 7]);
    expect(stderr).toBe('');
    expect(sandbox.current.decided().map((event) => event['jsonrpc_id'])).toEqual(['first', 2, 4, 6]);
  },
);

it('for long: calls are denied and the model is told; when it is free, calls pass', async () => {
  const guarded = new Guarded(sandbox.current);
  await guarded.call(1);
  const holder = await StoreHolder.hold(sandbox.current);
  const started = performance.now();
  guarded.send(call(2), ping(3), call(4));
  const denied = [await guarded.answerTo(2), await guarded.answerTo(4)];
  expect(performance.now() - started).toBeGreaterThan(1900);
  expect(performance.now() - started).toBeLessThan(4000);
  expect(denied.map(isUnrecorded)).toEqual([true, true]);
  // Whoever waited for nothing is not made to wait again.
  const again = performance.now();
  expect(isUnrecorded(await guarded.call(5))).toBe(true);
  expect(performance.now() - again).toBeLessThan(1000);
  await guarded.answerTo(3);
  await holder.release();
  expect(isUnrecorded(await guarded.call(6))).toBe(false);
  const { stderr } = await guarded.process.close();
  expect(guarded.reached()).toEqual([1, 3, 6]);
  expect(stderr).toBe("clawai: what is decided can't be recorded: other processes have kept the store to themselves for 2 s\n");
  const ids = sandbox.current.decided().map((event) => event['jsonrpc_id']);
  expect(ids).toEqual([1, 6]);
});

it('for long once, and for a moment much later: that moment is waited for', async () => {
  const guarded = new Guarded(sandbox.current);
  await guarded.call(1);
  const long = await StoreHolder.hold(sandbox.current);
  expect(isUnrecorded(await guarded.call(2))).toBe(true);
  await long.release();
  await rest(1200);
  const short = await StoreHolder.hold(sandbox.current);
  guarded.send(call(3));
  await rest(100);
  await short.release();
  expect(isUnrecorded(await guarded.answerTo(3))).toBe(false);
  await guarded.process.close();
  expect(guarded.reached()).toEqual([1, 3]);
});

it('for long, where on_error says so: calls pass with a warning', async () => {
  const guarded = new Guarded(sandbox.current, { config: 'on_error = "allow"' });
  await guarded.call(1);
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(call(2), ping(3), call(4));
  await guarded.answerTo(4);
  await holder.release();
  await guarded.call(5);
  const { stderr } = await guarded.process.close();
  expect(guarded.reached()).toEqual([1, 2, 3, 4, 5]);
  expect(guarded.answers().some(isUnrecorded)).toBe(false);
  expect(stderr).toBe("clawai: what is decided can't be recorded: other processes have kept the store to themselves for 2 s\n");
});

it('while a call waits, what the server says flows, and nothing stands still for more than 20 ms', async () => {
  await makeStore();
  const server = [process.execPath, sandbox.current.write('ticking.mjs', TICKING)];
  const guarded = new Guarded(sandbox.current, { server });
  const late: number[] = [];
  let seen = 0;
  guarded.process.output.on('data', () => {
    const now = Number(process.hrtime.bigint()) / 1e6;
    const lines = guarded.process.stdout.toString('utf8', seen);
    const end = lines.lastIndexOf('\n') + 1;
    seen += end;
    for (const [, at] of lines.slice(0, end).matchAll(/"at":([\d.]+)/g)) late.push(now - Number(at));
  });
  await guarded.call(1);
  const holder = await StoreHolder.hold(sandbox.current);
  late.length = 0;
  guarded.send(call(2));
  await rest(1000);
  const waiting = late.toSorted((a, b) => a - b);
  await holder.release();
  expect(isUnrecorded(await guarded.answerTo(2))).toBe(false);
  expect(waiting.length).toBeGreaterThan(150);
  // A machine that does other things meanwhile delays one or the other.
  expect(waiting.at(Math.floor(waiting.length * 0.95))).toBeLessThan(20);

  guarded.process.kill('SIGKILL');
  await guarded.process.ended;
});

it('while the server ends: who waits for an answer gets one', async () => {
  await makeStore();
  const server = [process.execPath, sandbox.current.write('short.mjs', 'setTimeout(() => process.exit(3), 400);')];
  const guarded = new Guarded(sandbox.current, { server });
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(call(1), ping(2), call(3));
  const { code } = await guarded.process.ended;
  await holder.release();
  expect(code).toBe(3);
  expect(guarded.answers().map(({ id, error }) => [id, error?.code])).toEqual([
    [1, -32603],
    [2, -32603],
    [3, -32603],
  ]);
});
