import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { HAS_TERMINAL } from '../support/at-terminal.ts';
import { Dashboard, HAS_BROWSER, startBrowser } from '../support/dashboard.ts';
import { recordedCall, RecordedStore } from '../support/recorded-store.ts';
import { Sandbox } from '../support/sandbox.ts';
import { atMost, type Row } from './row.ts';
import { median } from './statistics.ts';
import { call, initialize } from './stdio/messages.ts';
import { Peer } from './stdio/peer.ts';
import { alternate } from './stdio/rounds.ts';

const EVENTS = 100_000;
const ROUNDS = 9;
const WARM_ROUNDS = 3;
/** Calls of a round, two hundred a second. */
const CALLS = 200;
const PACE = 5;
const VIEWS = 5;

/** The page of `clawai dashboard` with a hundred thousand events on record, and what it costs the calls that it shows. */
export async function dashboardBench(): Promise<Row[]> {
  // Nobody but a person at a terminal may open it.
  if (!HAS_TERMINAL) return [];
  const sandbox = new Sandbox();
  fill(sandbox.storeFile);
  const policy = sandbox.write('policy.toml', '[[rule]]\naction = "allow"\ntool = "**"\n');
  const server = [process.execPath, new URL('echo-server.mjs', import.meta.url).pathname];
  const [program, ...args] = sandbox.command('proxy', '--server', 'echo', '--policy', policy, '--', ...server);
  const peer = new Peer(spawn(program, args, { env: sandbox.env, stdio: ['pipe', 'pipe', 'inherit'] }));
  const dashboard = new Dashboard(sandbox, '--policy', policy);
  try {
    await peer.roundTrip(initialize);
    return [await measureCalls(peer, dashboard), ...(HAS_BROWSER ? await measureView(dashboard) : [])];
  } finally {
    await peer.end();
    await dashboard.end();
    sandbox.remove();
  }
}

function fill(file: string): void {
  const store = new RecordedStore(file);
  const begin = Date.now() - EVENTS * 100;
  store.database.exec('BEGIN');
  for (let at = 0; at < EVENTS; at++) {
    const fields = {
      id: `00000000000000aa.${at}`,
      timestamp: new Date(begin + at * 100).toISOString(),
      input: { path: `/notes/${at}.txt` },
    };
    store.add(recordedCall({ ...fields, session_id: `s-${at % 50}`, server_id: `server-${at % 8}` }));
  }
  store.database.exec('COMMIT');
  store.close();
}

async function measureCalls(peer: Peer, dashboard: Dashboard): Promise<Row> {
  const page = await enter(await dashboard.address());
  const measure = async (kind: 'alone' | 'followed'): Promise<number> => {
    const stop = kind === 'followed' ? await page.follow() : (): void => {};
    const times: number[] = [];
    for (let made = 0; made < CALLS; made++) {
      times.push(await peer.roundTrip(call));
      await setTimeout(PACE);
    }
    stop();
    return median(times);
  };
  const kinds = ['alone', 'followed'] as const;
  await alternate(WARM_ROUNDS, measure, kinds);
  const { alone, followed } = await alternate(ROUNDS, measure, kinds);
  return atMost(1.1, {
    name: 'tools/call at 200 a second, p50, while a page of the dashboard follows / without',
    unit: '×',
    value: followed / alone,
    pipe: `${alone.toFixed(0)} µs`,
    clawai: `${followed.toFixed(0)} µs`,
  });
}

interface Entered {
  /** Follows what is recorded, until what it resolves to is called. */
  follow(): Promise<() => void>;
}

/** Opens the page without a browser. */
async function enter(address: string): Promise<Entered> {
  const opened = await fetch(address, { redirect: 'manual' });
  const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const feed = new URL(`${opened.headers.get('location')}api/feed`, address);
  return {
    async follow() {
      const stopping = new AbortController();
      const stream = await fetch(feed, { headers: { cookie }, signal: stopping.signal });
      void stream.arrayBuffer().catch(() => {});
      return () => stopping.abort();
    },
  };
}

async function measureView(dashboard: Dashboard): Promise<Row[]> {
  const browser = await startBrowser();
  try {
    const times: number[] = [];
    let bytes = 0;
    for (let view = 0; view < VIEWS; view++) {
      const address = await dashboard.address();
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      bytes = 0;
      session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength));
      const began = performance.now();
      await page.goto(address);
      await page.locator('.events .row').first().waitFor();
      times.push(performance.now() - began);
      await context.close();
    }
    return [
      atMost(1000, { name: 'first view of the dashboard, 100,000 events on record', unit: 'ms', value: median(times) }),
      atMost(100, { name: 'the same, over the wire', unit: 'kB', value: bytes / 1000 }),
    ];
  } finally {
    await browser.close();
  }
}
