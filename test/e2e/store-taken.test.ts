/** @module-tag long */
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded, ping, rest, StoreHolder } from '../support/guarded.ts';

/** A store that another process keeps to itself. */
const sandbox = useSandbox();

/** A server that says something every 5 ms, and answers. */
const TICKING = `
  import { createInterface } from 'node:readline';
  setInterval(() => console.log(JSON.stringify({ jsonrpc: '2.0', method: 'tick', params: {} })), 5);
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
  const waited = performance.now() - started;
  expect(waited).toBeGreaterThan(1900);
  expect(denied.map(isUnrecorded)).toEqual([true, true]);
  // Whoever waited for nothing is not made to wait again.
  const again = performance.now();
  expect(isUnrecorded(await guarded.call(5))).toBe(true);
  expect(performance.now() - again).toBeLessThan(waited / 2);
  await guarded.answerTo(3);
  await holder.release();
  expect(isUnrecorded(await guarded.call(6))).toBe(false);
  const { stderr } = await guarded.process.close();
  expect(guarded.reached()).toEqual([1, 3, 6]);
  expect(stderr).toBe('clawai: cannot record its decisions: other processes have locked the store for 2 s\n');
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
  expect(stderr).toBe('clawai: cannot record its decisions: other processes have locked the store for 2 s\n');
});

it('while a call waits, what the server says flows', async () => {
  await makeStore();
  const server = [process.execPath, sandbox.current.write('ticking.mjs', TICKING)];
  const guarded = new Guarded(sandbox.current, { server });
  const ticks = (): number => guarded.answers().filter(({ method }) => method === 'tick').length;
  await guarded.call(1);
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(call(2));
  const before = ticks();
  await guarded.process.until(() => ticks() >= before + 50);
  expect(guarded.answers().some(({ id }) => id === 2)).toBe(false);
  await holder.release();
  expect(isUnrecorded(await guarded.answerTo(2))).toBe(false);
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

it('now and again: thousands of messages stay in order, each once', async () => {
  await makeStore();
  const guarded = new Guarded(sandbox.current);
  const holder = await StoreHolder.hold(sandbox.current, 'flicker');
  const ids: number[] = [];
  for (let part = 0; part < 60; part++) {
    const first = part * 50;
    const lines = Array.from({ length: 50 }, (_, i) => (i % 3 === 0 ? ping(first + i) : call(first + i)));
    for (let i = 0; i < 50; i++) ids.push(first + i);
    // Cut anywhere, as pipes do.
    const text = `${lines.join('\n')}\n`;
    const at = (part * 997) % text.length;
    guarded.process.send(text.slice(0, at));
    await rest(part % 12);
    guarded.process.send(text.slice(at));
  }
  await guarded.answerTo(ids.at(-1));
  await holder.release();
  const { stderr } = await guarded.process.close();
  expect(stderr).toBe('');
  expect(guarded.reached()).toEqual(ids);
  expect(guarded.answers().map(({ id }) => id)).toEqual(ids);
  const recorded = sandbox.current.decided().map((event) => event['jsonrpc_id']);
  expect(recorded.slice(1)).toEqual(ids.filter((id) => (id % 50) % 3 !== 0));
});

it('for a moment, a batch and what the server asks for wait too', async () => {
  await makeStore();
  const ASKING = `
    import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin })) {
      const message = JSON.parse(line);
      if (message.method === 'initialize') {
        console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 'x', version: '1' } } }));
      } else if (message.method === 'tools/call') console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }));
      else if (message.method === 'ping') {
        console.log(JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }));
        console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }));
      }
    }`;
  const server = [process.execPath, sandbox.current.write('asking.mjs', ASKING)];
  const guarded = new Guarded(sandbox.current, { server });
  const client = { capabilities: { sampling: {} }, clientInfo: { name: 'c', version: '1' }, protocolVersion: '2025-03-26' };
  guarded.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method: 'initialize', params: client }));
  await guarded.answerTo('i');
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(ping('p'), `[${call(1)},${call(2)}]`);
  await rest(300);
  expect(guarded.process.stdout.toString().split('\n')).toHaveLength(2);
  await holder.release();
  const [, ...lines] = await guarded.process.lines(4);
  const said = lines.slice(0, 3).map((line) => JSON.parse(line) as unknown);
  // The server's side and the client's wait each for itself.
  expect(said).toHaveLength(3);
  expect(said.findIndex((one) => (one as { id?: unknown }).id === 'q')).toBeLessThan(
    said.findIndex((one) => (one as { id?: unknown }).id === 'p'),
  );
  expect(said.find(Array.isArray)).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: {} },
  ]);
  const { stderr } = await guarded.process.close();
  expect(stderr).toBe('');
  expect(new Set(sandbox.current.decided().map((event) => event['jsonrpc_id']))).toEqual(new Set(['first', 1, 2, 'q']));
});

it('when only observing: calls wait, then go on whether they are recorded or not', async () => {
  await makeStore();
  const guarded = new Guarded(sandbox.current, { config: 'mode = "observe"' });
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(ping(1), call(2), ping(3), call(4));
  await guarded.answerTo(4);
  await holder.release();
  await guarded.call(5);
  await guarded.process.close();
  expect(guarded.reached()).toEqual([1, 2, 3, 4, 5]);
  expect(guarded.answers().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect(guarded.said()).toEqual([
    expect.stringContaining('only observing'),
    expect.stringContaining('other processes have locked the store for 2 s'),
  ]);
});
