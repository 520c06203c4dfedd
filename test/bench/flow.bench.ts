import { setTimeout } from 'node:timers/promises';
import { atMost, type Row } from './row.ts';
import { percentile } from './statistics.ts';
import { call, initialize } from './stdio/messages.ts';
import { type Peer, Workplace } from './stdio/peer.ts';
import { alternate } from './stdio/rounds.ts';

/** As many calls as a session is looked back at. */
const WINDOW = 1000;
const ROUNDS = 7;
const ROUND_TRIPS = 500;
const WARM_ROUNDS = 6;

/** Milliseconds until what the results had in them is remembered. */
const READ_WITHIN = 3000;

const ALLOW = '[defaults]\naction = "allow"\n[pinning]\nenabled = false\n';
const RULES = '[flow]\nread_then_send = { window = "1h", evidence = "value" }\nburst = { max_calls = 999, window = "1h" }\n';

/** A call that sends, with arguments that have to be looked through. */
const SEND = Buffer.from(
  `${JSON.stringify({
    jsonrpc: '2.0',
    id: 9,
    method: 'tools/call',
    params: {
      name: 'send_message',
      arguments: {
        channel: '#release',
        text: 'The nightly build is green; Q3tb7Yx0PmZk was the last run. Details: https://ci.example.com/builds/48151623?tab=log',
      },
    },
  })}\n`,
);

/** What looking back at a session costs a call, of which the session is as long as is looked at. */
export async function flowBench(): Promise<Row[]> {
  const workplace = new Workplace({ CLAWAI_SESSION: 'bench' });
  try {
    const policies = { off: `${ALLOW}[flow]\nenabled = false\n`, on: `${ALLOW}${RULES}` };
    const file = (kind: keyof typeof policies): string => workplace.write(`${kind}.toml`, policies[kind]);
    await fill(workplace.start('clawai', file('on'), 'result-server.mjs', 'reader'));
    const peers = {
      off: workplace.start('clawai', file('off'), 'echo-server.mjs', 'plain'),
      on: workplace.start('clawai', file('on'), 'echo-server.mjs', 'sender'),
    };
    for (const peer of Object.values(peers)) await peer.roundTrip(initialize);
    const times: Record<keyof typeof peers, number[]> = { off: [], on: [] };
    const round = async (kind: keyof typeof peers): Promise<number> => {
      for (let i = 0; i < ROUND_TRIPS; i++) times[kind].push(await peers[kind].roundTrip(SEND));
      return 0;
    };
    const kinds = ['off', 'on'] as const;
    await alternate(WARM_ROUNDS, round, kinds);
    for (const kind of kinds) times[kind] = [];
    await alternate(ROUNDS, round, kinds);
    // Of all rounds together: of one round, five calls alone would be beyond it.
    const [off, on] = [percentile(times.off, 99), percentile(times.on, 99)];
    for (const peer of Object.values(peers)) await peer.end();
    return [
      atMost(300, {
        name: 'the flow guard, its window full, p99 of a call, added to clawai without it',
        unit: 'µs',
        value: on - off,
        pipe: `${off.toFixed(0)} µs`,
        clawai: `${on.toFixed(0)} µs`,
      }),
    ];
  } finally {
    workplace.remove();
  }
}

async function fill(reader: Peer): Promise<void> {
  await reader.roundTrip(initialize);
  for (let i = 0; i < WINDOW; i++) await reader.roundTrip(call);
  await setTimeout(READ_WITHIN);
  await reader.end();
}
