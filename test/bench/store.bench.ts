import { setTimeout } from 'node:timers/promises';
import { atLeast, atMost, type Row } from './row.ts';
import { median, percentile } from './statistics.ts';
import { call, calls, freshCall, initialize } from './stdio/messages.ts';
import { type Kind, KINDS, type Peer, Workplace } from './stdio/peer.ts';
import { inEachPlacement, inMicroseconds, medianOf, worstOf } from './stdio/placement.ts';
import { alternate, pipelinedRate } from './stdio/rounds.ts';

const ROUNDS = 7;
const ROUND_TRIPS = 1000;
const WARM_ROUNDS = 12;
const PIPELINED = 20_000;

/** As many middlemen as a developer has servers, each with so many calls, one every so many milliseconds. */
const MIDDLEMEN = 8;
const CALLS_EACH = 50;
const PACE = 100;
/** As many as they make in two and a half minutes, and those after it, at their pace, that are not counted. */
const WARM_CALLS = 1500;
const SETTLING_CALLS = 25;

type Peers = Readonly<Record<Kind, Peer>>;

/** What deciding under a hundred rules and recording costs, side by side with a bare pipe. */
export async function storeBench(): Promise<Row[]> {
  const workplace = new Workplace();
  try {
    const policy = workplace.write('policy.toml', hundredRules());
    const peers: Peers = { pipe: workplace.start('pipe'), clawai: workplace.start('clawai', policy) };
    for (const kind of KINDS) await peers[kind].roundTrip(initialize);
    const rows = [await measureFirst(peers), ...(await measureCalls(peers)), await measurePipelined(peers)];
    for (const kind of KINDS) await peers[kind].end();
    return [...rows, await measureSecrets(workplace), ...(await measureMany(workplace, policy))];
  } finally {
    workplace.remove();
  }
}

/** Most are about other tools, as in a policy for many servers; the last one decides, and it looks at a path. */
function hundredRules(): string {
  const others = Array.from({ length: 98 }, (_, i) => `[[rule]]\naction = "deny"\ntool = "tool_${i}_*"\n`);
  const secrets = '[[rule]]\naction = "deny"\ntool = "**"\nargs."**" = "**/.ssh/**"\n';
  return `${others.join('')}${secrets}[[rule]]\naction = "allow"\ntool = "read_*"\nargs.path = "/usr/share/**"\n`;
}

/** The first call of a connection opens the store, and here makes it. */
async function measureFirst(peers: Peers): Promise<Row> {
  const took = { pipe: await peers.pipe.roundTrip(call), clawai: await peers.clawai.roundTrip(call) };
  return { name: 'the first call of all, which makes the store, added', unit: 'ms', value: (took.clawai - took.pipe) / 1000 };
}

async function measureCalls(peers: Peers): Promise<Row[]> {
  const p50 = (peer: Peer): Promise<number> => medianOf(ROUND_TRIPS, () => peer.roundTrip(call));
  // What is compiled meanwhile, and recompiled, would be measured too.
  await alternate(WARM_ROUNDS, (kind) => p50(peers[kind]));
  const placed = await inEachPlacement(peers, ROUNDS, p50);
  const worst = worstOf(placed, ({ pipe, clawai }) => clawai - pipe);
  const free = await alternate(ROUNDS, (kind) => p50(peers[kind]));
  return [
    atMost(120, {
      name: `tools/call under 100 rules, recorded, p50, added (${worst.placement?.name ?? 'placed by the scheduler'}, the worst)`,
      unit: 'µs',
      value: worst.times.clawai - worst.times.pipe,
      ...inMicroseconds(worst.times),
    }),
    {
      name: 'the same, each placed by the scheduler',
      unit: 'µs',
      value: free.clawai - free.pipe,
      ...inMicroseconds(free),
    },
  ];
}

/** What looking for secrets in arguments costs. Each call has other arguments, and comes to both in turn. */
export async function measureSecrets(workplace: Workplace): Promise<Row> {
  const [on, off] = ['on_arguments = "deny"', 'enabled = false'].map((setting, at) =>
    workplace.start('clawai', workplace.write(`secrets-${at}.toml`, `${hundredRules()}[dlp]\n${setting}\n`)),
  ) as [Peer, Peer];
  const times: [number[], number[]] = [[], []];
  for (const peer of [on, off]) await peer.roundTrip(initialize);
  for (let at = -WARM_CALLS; at < ROUNDS * ROUND_TRIPS; at++) {
    const message = freshCall(at);
    for (const [index, peer] of (at % 2 === 0 ? [on, off] : [off, on]).entries()) {
      const took = await peer.roundTrip(message);
      if (at >= 0) times[at % 2 === 0 ? index : 1 - index]?.push(took);
    }
  }
  await Promise.all([on.end(), off.end()]);
  const [searched, plain] = [median(times[0]), median(times[1])];
  return atMost(1.1, {
    name: 'tools/call under 100 rules, recorded, p50, its arguments searched for secrets',
    unit: '× without',
    value: searched / plain,
    pipe: `without ${plain.toFixed(0)} µs`,
    clawai: `${searched.toFixed(0)} µs`,
  });
}

async function measurePipelined(peers: Peers): Promise<Row> {
  const once = pipelinedRate(peers, calls(PIPELINED), PIPELINED);
  await alternate(1, once);
  const { pipe, clawai } = await alternate(ROUNDS, once);
  return atLeast(0.03, {
    name: 'pipelined tools/call under 100 rules, recorded, rate',
    unit: '× pipe',
    value: clawai / pipe,
    pipe: `${pipe.toFixed(0)}k/s`,
    clawai: `${clawai.toFixed(1)}k/s`,
  });
}

/**
 * Several middlemen on one store at a human pace; the pipes before the same servers in the same way. What has run for some minutes is what
 * people have; the engine has compiled by then what runs often. What the first calls take is told beside it.
 */
async function measureMany(workplace: Workplace, policy: string): Promise<Row[]> {
  const worst = async (kind: Kind, warm: number): Promise<number> => {
    const peers = Array.from({ length: MIDDLEMEN }, () => workplace.start(kind, policy));
    for (const peer of peers) {
      await peer.roundTrip(initialize);
      for (let i = 0; i < Math.max(warm, 1); i++) await peer.roundTrip(call);
    }
    const settled = warm === 0 ? 0 : SETTLING_CALLS;
    const times = await Promise.all(peers.map((peer, i) => paced(peer, (i * PACE) / MIDDLEMEN, settled + CALLS_EACH)));
    await Promise.all(peers.map((peer) => peer.end()));
    return percentile(
      times.flatMap((each) => each.slice(settled)),
      99,
    );
  };
  const name = `tools/call of ${MIDDLEMEN} middlemen, ten a second each, p99, added`;
  const row = async (warm: number): Promise<Row> => {
    const { pipe, clawai } = await alternate(3, (kind) => worst(kind, warm));
    const sides = { pipe: `${(pipe / 1000).toFixed(2)} ms`, clawai: `${(clawai / 1000).toFixed(2)} ms` };
    return { name, unit: 'ms', value: (clawai - pipe) / 1000, ...sides };
  };
  return [atMost(2, await row(WARM_CALLS)), { ...(await row(0)), name: `reference: ${name}, from their first calls` }];
}

/**
 * Calls at fixed times. With a pause behind each answer instead, one stall of the machine would bring all peers into step for the rest of it, eight
 * calls at once.
 */
async function paced(peer: Peer, delay: number, count: number): Promise<number[]> {
  const started = performance.now() + delay;
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    await setTimeout(Math.max(0, started + i * PACE - performance.now()));
    times.push(await peer.roundTrip(call));
  }
  return times;
}
