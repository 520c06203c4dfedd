import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded, rest, StoreHolder } from '../support/guarded.ts';
import { isAlive } from '../support/is-alive.ts';
import { support } from '../support/sandbox.ts';

/** Ending while another process has the store: it takes no longer than ending ever may, and what is lost is said. */
const sandbox = useSandbox();

/** Milliseconds: 400 is the budget, the rest is for a machine that runs other tests meanwhile. */
const SOON = 700;
const LOST = 'clawai: 1 event that was no call could not be recorded\n';

async function duration(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

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
    expect(await duration(guarded.process.ended)).toBeLessThan(SOON);
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
  expect(await duration(guarded.process.close())).toBeLessThan(SOON);
  expect(await guarded.process.ended).toMatchObject({ code: 0, stderr: LOST });
  await holder.release();
});

it('end of input with calls that wait: they are answered, then the server sees the end', async () => {
  await makeStore();
  const guarded = new Guarded(sandbox.current);
  const holder = await StoreHolder.hold(sandbox.current);
  guarded.send(call(1), call(2));
  const took = await duration(guarded.process.close());
  await holder.release();
  expect(took).toBeGreaterThan(1900);
  expect(took).toBeLessThan(2000 + SOON);
  expect(guarded.answers().map(({ id }) => id)).toEqual([1, 2]);
  expect(guarded.answers().every(isUnrecorded)).toBe(true);
  expect(guarded.reached()).toEqual([]);
});
