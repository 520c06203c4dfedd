/** @module-tag long */
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded, rest, StoreHolder } from '../support/guarded.ts';
import { isAlive } from '../support/is-alive.ts';
import { support } from '../support/sandbox.ts';

/** Ending while another process has locked the store: it is not waited for, and what is lost is said. */
const sandbox = useSandbox();

const LOST = 'clawai: could not record 1 event other than calls\n';

/** A store with one call in it. */
async function makeStore(): Promise<void> {
  const first = new Guarded(sandbox.current, { name: 'first' });
  await first.call(0);
  await first.process.close();
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const modes = ['write', 'all'] as const;

it.each(signals.flatMap((signal) => modes.map((mode) => [signal, mode] as const)))(
  '%s (%s) with a server that ignores it and calls that wait',
  async (signal, mode) => {
    await makeStore();
    const guarded = new Guarded(sandbox.current, { server: [process.execPath, support('stubborn-server.mjs')] });
    await guarded.process.lines(1);
    const [started] = guarded.answers() as unknown as [{ params: { pids: number[] } }];
    const holder = await StoreHolder.hold(sandbox.current, mode);
    guarded.send(call(1), call(2));
    await rest(100);
    guarded.process.kill(signal);
    expect((await guarded.process.ended).stderr).toBe(LOST);
    expect(started.params.pids.filter(isAlive)).toEqual([]);
    await holder.release();
    expect(sandbox.current.events().map((event) => event['jsonrpc_id'] ?? event['type'])).toEqual([0, 'mcp_connection_ended']);
  },
);

it('end of input with nothing that waits', async () => {
  const guarded = new Guarded(sandbox.current);
  await guarded.call(1);
  const holder = await StoreHolder.hold(sandbox.current);
  expect(await guarded.process.close()).toMatchObject({ code: 0, stderr: LOST });
  await holder.release();
});

it('end of input with calls that wait: they are answered, then the server sees the end', async () => {
  await makeStore();
  const guarded = new Guarded(sandbox.current);
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(call(1), call(2));
  const started = performance.now();
  await guarded.process.close();
  expect(performance.now() - started).toBeGreaterThan(1900);
  await holder.release();
  expect(guarded.answers().map(({ id }) => id)).toEqual([1, 2]);
  expect(guarded.answers().every(isUnrecorded)).toBe(true);
  expect(guarded.reached()).toEqual([]);
});
