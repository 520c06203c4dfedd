import { atLeast, atMost, type Row } from './row.ts';
import { bigCall, BIG_ARGUMENTS, type Content, initialize, LARGE, large, largeAnswer, ping, pings } from './stdio/messages.ts';
import { inEachPlacement, inMicroseconds, medianOf, worstOf } from './stdio/placement.ts';
import { alternate, byKind, pipelinedRate } from './stdio/rounds.ts';
import { GROUPED, type Kind, KINDS, type Peer, Workplace } from './stdio/peer.ts';

const START_ROUNDS = 21;
const ROUNDS = 7;
const ROUND_TRIPS = 1000;
const PIPELINED = 200_000;
const LARGE_PER_ROUND = 3;
const BIG_PER_ROUND = 20;

type Peers = Readonly<Record<Kind, Peer>>;

/** Measures `clawai proxy` against a bare pipe, both before the same server, in alternating rounds; medians. */
export async function stdioBench(): Promise<Row[]> {
  const workplace = new Workplace();
  try {
    const start = await measureStart(workplace);
    const peers: Peers = { pipe: workplace.start('pipe'), clawai: workplace.start('clawai') };
    for (const kind of KINDS) await peers[kind].roundTrip(initialize);
    const idle = byKind((kind) => peers[kind].memory());
    const rows = [start, ...(await measureRoundTrips(peers, workplace)), await measurePipelined(peers)];
    for (const content of ['text', 'escaped'] as const) rows.push(await measureLarge(peers, content, 'to the server'));
    for (const content of ['text', 'escaped'] as const) rows.push(await measureLarge(peers, content, 'to the client'));
    for (const content of ['text', 'escaped'] as const) rows.push(await measureBigCalls(peers, content));
    const loaded = byKind((kind) => peers[kind].memory());
    for (const kind of KINDS) await peers[kind].end();
    return [...rows, memoryRow('memory, idle', idle), memoryRow('memory, after all this', loaded)];
  } finally {
    workplace.remove();
  }
}

/** From the start of the process to the answer to `initialize`, with compiled code in the cache. */
async function measureStart(workplace: Workplace): Promise<Row> {
  const once = async (kind: Kind): Promise<number> => {
    const started = performance.now();
    const peer = workplace.start(kind);
    await peer.roundTrip(initialize);
    const took = performance.now() - started;
    await peer.end();
    return took;
  };
  for (const kind of [...KINDS, ...KINDS]) await once(kind);
  const { pipe, clawai } = await alternate(START_ROUNDS, once);
  return atMost(30, {
    name: 'start to `initialize` answered, added',
    unit: 'ms',
    value: clawai - pipe,
    pipe: `${pipe.toFixed(1)} ms`,
    clawai: `${clawai.toFixed(1)} ms`,
  });
}

async function measureRoundTrips(peers: Peers, workplace: Workplace): Promise<Row[]> {
  const p50 =
    <K extends string>(message: Buffer, among: Readonly<Record<K, Peer>>) =>
    (kind: K): Promise<number> =>
      medianOf(ROUND_TRIPS, () => among[kind].roundTrip(message));
  await alternate(1, p50(ping, peers));
  const placed = await inEachPlacement(peers, ROUNDS, (peer) => medianOf(ROUND_TRIPS, () => peer.roundTrip(ping)));
  const worst = worstOf(placed, ({ pipe, clawai }) => clawai / pipe);
  const free = await alternate(ROUNDS, p50(ping, peers));
  const grouped = { pipe: workplace.start(GROUPED), clawai: peers.clawai };
  await grouped.pipe.roundTrip(initialize);
  await alternate(1, p50(ping, grouped));
  const fairly = await alternate(ROUNDS, p50(ping, grouped));
  await grouped.pipe.end();
  return [
    atMost(1.25, {
      name: `ping-pong without a decision, p50 (${worst.placement?.name ?? 'placed by the scheduler'}, the worst)`,
      unit: '× pipe',
      value: worst.times.clawai / worst.times.pipe,
      ...inMicroseconds(worst.times),
    }),
    {
      name: 'the same, each placed by the scheduler',
      unit: '× pipe',
      value: free.clawai / free.pipe,
      ...inMicroseconds(free),
    },
    {
      // Linux schedules a session by itself, so a server that can be ended with all it started is woken a little later.
      name: 'the same, and the pipe gives its server a process group too',
      unit: '× pipe',
      value: fairly.clawai / fairly.pipe,
      ...inMicroseconds(fairly),
    },
  ];
}

async function measurePipelined(peers: Peers): Promise<Row> {
  const once = pipelinedRate(peers, pings(PIPELINED), PIPELINED);
  await alternate(1, once);
  const { pipe, clawai } = await alternate(ROUNDS, once);
  return atLeast(0.3, {
    name: 'pipelined small messages without a decision, rate',
    unit: '× pipe',
    value: clawai / pipe,
    pipe: `${pipe.toFixed(0)}k/s`,
    clawai: `${clawai.toFixed(0)}k/s`,
  });
}

async function measureLarge(peers: Peers, content: Content, towards: 'to the server' | 'to the client'): Promise<Row> {
  const message = towards === 'to the server' ? large(content) : largeAnswer(content);
  const what = { message, bytes: LARGE, times: LARGE_PER_ROUND, bound: 0.18 };
  return measureBytes(peers, { ...what, name: `10 MiB messages ${towards}, ${content}, rate` });
}

/** Calls that are decided by the shipped policy, and recorded. */
async function measureBigCalls(peers: Peers, content: Content): Promise<Row> {
  const what = { message: bigCall(content), bytes: BIG_ARGUMENTS, times: BIG_PER_ROUND, bound: 0.25 };
  return measureBytes(peers, { ...what, name: `calls with 1 MiB of arguments, ${content}, rate` });
}

interface Bytes {
  readonly name: string;
  readonly message: Buffer;
  /** So many of each message count, and so many messages go in a round. */
  readonly bytes: number;
  readonly times: number;
  readonly bound: number;
}

async function measureBytes(peers: Peers, { name, message, bytes, times, bound }: Bytes): Promise<Row> {
  const once = async (kind: Kind): Promise<number> => {
    let took = 0;
    for (let i = 0; i < times; i++) took += await peers[kind].roundTrip(message);
    return (times * bytes) / took;
  };
  await alternate(1, once);
  const { pipe, clawai } = await alternate(ROUNDS, once);
  return atLeast(bound, {
    name,
    unit: '× pipe',
    value: clawai / pipe,
    pipe: `${pipe.toFixed(0)} MB/s`,
    clawai: `${clawai.toFixed(0)} MB/s`,
  });
}

function memoryRow(name: string, { pipe, clawai }: Record<Kind, number>): Row {
  return { name, unit: '× pipe', value: clawai / pipe, pipe: `${pipe.toFixed(0)} MiB`, clawai: `${clawai.toFixed(0)} MiB` };
}
