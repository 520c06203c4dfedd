import { join } from 'node:path';
import { Processes } from './http/processes.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';
import { initialize, list } from './stdio/messages.ts';
import { Workplace } from './stdio/peer.ts';

const ROUNDS = 9;
/** How often a list may take what it takes without detection, while nothing is shown that was not scanned. */
const MOST = 3;

const ALLOW = '[defaults]\naction = "allow"\n[detection]\n';
const POLICIES = { off: `${ALLOW}enabled = false\n`, hide: `${ALLOW}on_definition = "hide"\n` } as const;
const WAYS = { stdio: measureStdio, HTTP: measureHttp } as const;

/** Compares how long a list of 500 tools takes that nobody has seen before, scanned before it goes on and not scanned at all. */
export async function firstLists(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [way, measure] of Object.entries(WAYS)) {
    const times = { off: [] as number[], hide: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const policy of ['off', 'hide'] as const) times[policy].push(await measure(POLICIES[policy]));
    }
    const [off, hide] = [median(times.off), median(times.hide)];
    const name = `first list of 500 tools over ${way}, scanned before it goes on, against one without detection`;
    rows.push(atMost(MOST, { name, unit: 'times', value: hide / off, clawai: `${off.toFixed(1)} and ${hide.toFixed(1)} ms` }));
  }
  return rows;
}

/** Milliseconds of the list by a process and in a store of its own. */
async function measureStdio(policy: string): Promise<number> {
  const workplace = new Workplace();
  try {
    const peer = workplace.start('clawai', workplace.write('policy.toml', policy), 'list-server.mjs');
    await peer.roundTrip(initialize);
    const time = await peer.roundTrip(list);
    await peer.end();
    return time / 1000;
  } finally {
    workplace.remove();
  }
}

async function measureHttp(policy: string): Promise<number> {
  const processes = new Processes();
  try {
    const { port } = await processes.startNode(join(import.meta.dirname, 'http', 'upstream.mjs'));
    const config = `[[servers]]\nid = "many"\nurl = "http://127.0.0.1:${port}/many"\n`;
    const { ready } = await processes.startClawai({ config, policy });
    const url = (ready as { servers: readonly { url: string }[] }).servers[0]?.url ?? '';
    await post(url, initialize);
    return await post(url, list);
  } finally {
    await processes.end();
  }
}

/** Milliseconds until all of the answer is there. */
async function post(url: string, body: Buffer): Promise<number> {
  const started = performance.now();
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  const text = await answer.text();
  if (!text.includes('"result"')) throw new Error(`no result: ${text.slice(0, 200)}`);
  return performance.now() - started;
}
