import { setTimeout } from 'node:timers/promises';
import { firstLists } from './first-lists.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';
import { initialize, list } from './stdio/messages.ts';
import { type Kind, KINDS, type Peer, Workplace } from './stdio/peer.ts';

const ROUNDS = 9;
/** What the first one takes shows in the second one's time, where they come at once. */
const PAUSE = 50;
const SERVER = 'list-server.mjs';

/** Under it nothing is shown that was not looked at. */
const HIDE = '[defaults]\naction = "allow"\n[detection]\non_definition = "hide"\n';

type Times = Record<'first' | 'next' | 'unchanged' | 'changed' | 'looked', number[]>;

/** How much later a client has a list of 500 tools, which is held against what is known of them before it goes on. */
export async function registryBench(): Promise<Row[]> {
  const times: Record<Kind, Times> = { pipe: createTimes(), clawai: createTimes() };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of KINDS) await measureOne(kind, times[kind]);
  }
  const row = (of: keyof Times, name: string, limit: number): Row => {
    const [pipe, clawai] = [median(times.pipe[of]) / 1000, median(times.clawai[of]) / 1000];
    const sides = { pipe: `${pipe.toFixed(1)} ms`, clawai: `${clawai.toFixed(1)} ms` };
    return atMost(limit, { name, unit: 'ms', value: clawai - pipe, ...sides });
  };
  return [
    row('first', 'list of 500 tools, seen for the first time, added', 20),
    row('next', 'the same in the next process, known already, added', 20),
    row('unchanged', 'the same once more, added', 20),
    row('changed', 'all 500 changed, added', 40),
    row('looked', 'list of 500 tools, seen for the first time, looked at before it goes on, added', 60),
    ...(await firstLists()),
  ];
}

/** Two processes, one after the other: the first one meets an empty store. */
async function measureOne(kind: Kind, times: Times): Promise<void> {
  const workplace = new Workplace();
  try {
    const first = await started(workplace, kind);
    times.first.push(await first.roundTrip(list));
    await first.end();
    const next = await started(workplace, kind);
    times.next.push(await next.roundTrip(list));
    await setTimeout(PAUSE);
    times.unchanged.push(await next.roundTrip(list));
    await setTimeout(PAUSE);
    times.changed.push(await next.roundTrip(list));
    await next.end();
  } finally {
    workplace.remove();
  }
  times.looked.push(await measureLooked(kind));
}

/** Once more in an empty store, by a policy that hides tools in which something is found. */
async function measureLooked(kind: Kind): Promise<number> {
  const workplace = new Workplace();
  try {
    const peer = await started(workplace, kind, kind === 'pipe' ? undefined : workplace.write('policy.toml', HIDE));
    const time = await peer.roundTrip(list);
    await peer.end();
    return time;
  } finally {
    workplace.remove();
  }
}

async function started(workplace: Workplace, kind: Kind, policy?: string): Promise<Peer> {
  const peer = workplace.start(kind, policy, SERVER);
  await peer.roundTrip(initialize);
  return peer;
}

function createTimes(): Times {
  return { first: [], next: [], unchanged: [], changed: [], looked: [] };
}
