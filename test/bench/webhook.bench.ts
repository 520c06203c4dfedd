import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atMost, type Row } from './row.ts';
import { call, initialize } from './stdio/messages.ts';
import { Workplace } from './stdio/peer.ts';
import { inMicroseconds, medianOf } from './stdio/placement.ts';
import { alternate } from './stdio/rounds.ts';

const ROUNDS = 7;
const ROUND_TRIPS = 300;

/** What a receiver that never answers adds to calls that are denied, each of which it is told. Here, the pipe is clawai without a webhook. */
export async function webhookBench(): Promise<Row[]> {
  const receiver = createServer(() => {});
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const plain = new Workplace();
  const config = plain.write('config.toml', `[webhook.w]\nurl = "http://127.0.0.1:${port}/"\n`);
  const told = new Workplace({ CLAWAI_CONFIG: config });
  try {
    const policy = plain.write('policy.toml', '[defaults]\naction = "deny"\n');
    const peers = { pipe: plain.start('clawai', policy), clawai: told.start('clawai', policy) };
    for (const peer of Object.values(peers)) await peer.roundTrip(initialize);
    const p50 = (kind: 'pipe' | 'clawai'): Promise<number> => medianOf(ROUND_TRIPS, () => peers[kind].roundTrip(call));
    await alternate(2, p50);
    const times = await alternate(ROUNDS, p50);
    for (const peer of Object.values(peers)) await peer.end();
    return [
      atMost(1.1, {
        name: 'a denied call with a webhook that never answers, p50 (pipe: clawai without one)',
        unit: '× without',
        value: times.clawai / times.pipe,
        ...inMicroseconds(times),
      }),
    ];
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    plain.remove();
    told.remove();
  }
}
