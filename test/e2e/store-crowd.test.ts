/** @module-tag long */
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, Guarded, isUnrecorded } from '../support/guarded.ts';
import { runs } from '../support/runs.ts';
import { chainFaults, query } from '../support/stored.ts';

const sandbox = useSandbox();

const MILLISECONDS = runs(2000);
/** Calls that each client has on their way at once. */
const AHEAD = 4;

/** Once all have had their first answers, sends calls until the time is over, then closes the input; resolves with how many each has sent. */
async function keepBusy(all: readonly Guarded[], names: readonly string[]): Promise<number[]> {
  const clients = all.map((guarded, i) => ({ guarded, name: names[i], sent: 0, answered: 0 }));
  let ending: number | undefined;
  const send = (client: (typeof clients)[number]): void => {
    const isOver = ending !== undefined && performance.now() >= ending;
    if (isOver) client.guarded.process.stdin.end();
    else client.guarded.send(...Array.from({ length: client.answered }, () => call(`${client.name}.${client.sent++}`)));
    client.answered = 0;
  };
  for (const client of clients) {
    client.guarded.process.output.on('data', (chunk: Buffer) => {
      client.answered += chunk.toString().split('\n').length - 1;
      if (ending !== undefined) send(client);
      else if (clients.every(({ answered }) => answered === AHEAD)) {
        ending = performance.now() + MILLISECONDS;
        for (const each of clients) send(each);
      }
    });
    client.answered = AHEAD;
    send(client);
  }
  await Promise.all(all.map((guarded) => guarded.process.ended));
  return clients.map(({ sent }) => sent);
}

it(
  'hazard 38: eight servers of one client: each decision is on record once, in chains that verify, of one session',
  async () => {
    const names = Array.from({ length: 8 }, (_, i) => `server-${i}`);
    const all = names.map((name) => new Guarded(sandbox.current, { name }));
    const sent = await keepBusy(all, names);

    const decided = sandbox.current.decided();
    const byServer = Map.groupBy(decided, (event) => event['server_id']);
    for (const [i, guarded] of all.entries()) {
      const { code, stderr } = await guarded.process.ended;
      expect([code, stderr]).toEqual([0, '']);
      const ids = Array.from({ length: sent[i] ?? 0 }, (_, at) => `${names[i]}.${at}`);
      expect(guarded.reached()).toEqual(ids);
      expect(guarded.answers().map(({ id }) => id)).toEqual(ids);
      expect(guarded.answers().some(isUnrecorded)).toBe(false);
      expect(byServer.get(names[i])?.map((event) => event['jsonrpc_id'])).toEqual(ids);
    }
    // Nobody was starved, however fast the machine is.
    const total = sent.reduce((sum, count) => sum + count, 0);
    expect(Math.min(...sent)).toBeGreaterThan(Math.max(AHEAD, total / names.length / 4));
    expect(new Set(decided.map((event) => event['id'])).size).toBe(decided.length);
    expect(new Set(sandbox.current.events().map((event) => event['session_id'])).size).toBe(1);
    expect(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM writers')).toEqual([{ n: 8 }]);
    expect(chainFaults(sandbox.current.storeFile)).toEqual([]);
    const { code, stdout } = await sandbox.current.clawai('audit', 'verify').close();
    expect([code, stdout]).toEqual([0, expect.stringContaining('intact')]);
  },
  MILLISECONDS * 9 + 60_000,
);
