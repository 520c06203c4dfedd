/** @module-tag long */
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { residentMemory } from '../support/memory.ts';
import { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

const MEBIBYTE = 1024 * 1024;
/** The longest message that is taken has 32 MiB; the peak may be as far above a bare pipe's as four of the largest in flight. */
const MOST_ABOVE = 4 * 32;

const POLICY = `
[defaults]
action = "allow"
[[rule]]
action = "deny"
tool = "denied"
[[rule]]
action = "deny"
tool = "**"
args."**" = "**/.ssh/**"
`;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

/** A middleman before a server: ours, or one that looks at nothing. */
type Middleman = 'clawai' | 'pipe';

function start(middleman: Middleman, ...server: readonly string[]): Running {
  const command = [process.execPath, ...server] as const;
  if (middleman === 'clawai') return sandbox.clawai('proxy', '--policy', sandbox.write('policy.toml', POLICY), '--', ...command);
  return new Running([process.execPath, resolve('test', 'bench', 'pipe.mjs'), ...command], {
    env: sandbox.env,
    cwd: sandbox.folder,
  });
}

const ECHO = join(resolve('test', 'bench'), 'echo-server.mjs');
const HOSTILE = support('hostile-server.mjs');

/** Writes as much as the other side takes; resolves when all is written. */
async function send(running: Running, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += 1 << 16) {
    if (!running.stdin.write(bytes.subarray(at, at + (1 << 16)))) await new Promise((go) => running.stdin.once('drain', go));
  }
}

async function reached(isReached: () => boolean): Promise<void> {
  while (!isReached()) await setTimeout(2);
}

interface Request {
  readonly id: number;
  /** Bytes it has, or a few less. */
  readonly length: number;
  /** What its text repeats, as it stands in JSON. */
  readonly fill: string;
  /** What its text begins with. */
  readonly beginning?: string;
}

/** The id comes last, as SDKs have it. */
function request({ id, length, fill }: Request): Buffer {
  return filled(length, fill, [
    '{"method":"tools/call","params":{"name":"a","arguments":{"text":"',
    `"}},"jsonrpc":"2.0","id":${id}}\n`,
  ]);
}

/** The id comes first, where the server of these tests looks for it. */
function requestWithIdFirst({ id, length, fill, beginning = '' }: Request): Buffer {
  const before = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a","arguments":{"text":"${beginning}`;
  return filled(length, fill, [before, '"}}}\n']);
}

function filled(length: number, fill: string, [before, after]: readonly [string, string]): Buffer {
  const unit = Buffer.from(fill);
  const units = Math.floor((length - before.length - after.length + 1) / unit.length);
  return Buffer.concat([Buffer.from(before), Buffer.alloc(units * unit.length, unit), Buffer.from(after)]);
}

/** Does it with both middlemen and returns by how many MiB our peak is above the other's. */
async function peakAbove(
  server: readonly string[],
  act: (running: Running, middleman: Middleman) => Promise<void>,
): Promise<number> {
  const peaks: Record<Middleman, number> = { pipe: 0, clawai: 0 };
  for (const middleman of ['pipe', 'clawai'] as const) {
    const running = start(middleman, ...server);
    await act(running, middleman);
    peaks[middleman] = residentMemory(running.pid, 'peak');
    running.kill('SIGTERM');
    await running.ended;
  }
  return peaks.clawai - peaks.pipe;
}

describe.runIf(process.platform === 'linux')('memory', () => {
  it('hazard 18: 100 MB from the client are refused with an answer', async () => {
    const above = await peakAbove([HOSTILE, 'mute'], async (running, middleman) => {
      await send(running, request({ id: 7, length: 100_000_000, fill: 'x' }));
      if (middleman === 'pipe') return;
      const [answer = ''] = await running.lines(1);
      expect(JSON.parse(answer)).toMatchObject({ id: 7, error: { code: -32600 } });
      running.send('{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"denied"}}\n');
      await running.lines(2);
    });
    expect(above).toBeLessThan(MOST_ABOVE);
  });

  it('hazard 18: 100 MB from the server become an error, and the next answer arrives', async () => {
    const above = await peakAbove([HOSTILE, 'big', '100000000'], async (running, middleman) => {
      let length = 0;
      running.output.on('data', (chunk: Buffer) => (length += chunk.length));
      running.send('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
      if (middleman === 'pipe') {
        await reached(() => length >= 100_000_000);
        return;
      }
      const [answer = ''] = await running.lines(1);
      expect(JSON.parse(answer)).toMatchObject({ id: 7, error: { code: -32603 } });
    });
    expect(above).toBeLessThan(MOST_ABOVE);
  });

  // Under a rule that looks at every argument as a path, as the shipped policy has one.
  it.each([
    { name: 'text', fill: 'x'.repeat(80), size: 32, times: 1 },
    { name: 'escaped text', fill: `${'x'.repeat(78)}\\n`, size: 32, times: 1 },
    { name: 'Chinese text', fill: '中'.repeat(20), size: 32, times: 1 },
    { name: 'text with one letter that takes two bytes in memory', fill: `${'x'.repeat(77)}中`, size: 32, times: 1 },
    { name: 'encoded text', fill: '%2541', size: 32, times: 1 },
    { name: 'encoded backslashes and letters that take two bytes in memory', fill: 'a%5Cb中', size: 32, times: 1 },
    { name: 'an encoded URL', fill: 'a b/%2e%2e/%41', size: 32, times: 1, beginning: 'http://h/' },
    { name: 'text', fill: 'x'.repeat(80), size: 32, times: 3 },
    { name: 'text', fill: 'x'.repeat(80), size: 10, times: 5 },
    { name: 'escaped text', fill: `${'x'.repeat(78)}\\n`, size: 10, times: 5 },
  ])('$size MiB of $name are decided and pass, $times times', async ({ fill, size, times, beginning = '' }) => {
    const message = requestWithIdFirst({ id: 7, length: size * MEBIBYTE - 10, fill, beginning });
    const above = await peakAbove([ECHO], async (running) => {
      for (let sent = 1; sent <= times; sent++) {
        await send(running, message);
        const answers = await running.lines(sent);
        expect(JSON.parse(answers[sent - 1] ?? '')).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
      }
    });
    expect(above).toBeLessThan(4 * size);
  });

  it('many values in few bytes are refused before they are made', async () => {
    const above = await peakAbove([HOSTILE, 'mute'], async (running, middleman) => {
      const head = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","arguments":{"a":[1.0';
      await send(running, Buffer.from(`${head}${',1.0'.repeat(7_000_000)}]}}}\n`));
      if (middleman === 'pipe') return;
      const [answer = ''] = await running.lines(1);
      expect(JSON.parse(answer)).toMatchObject({ id: 7, error: { code: -32600 } });
    });
    expect(above).toBeLessThan(MOST_ABOVE);
  });

  it('calls that the server never answers are not kept', async () => {
    const above = await peakAbove([HOSTILE, 'mute'], async (running) => {
      for (let id = 1; id <= 200; id++) await send(running, request({ id, length: MEBIBYTE, fill: 'x' }));
    });
    expect(above).toBeLessThan(MOST_ABOVE);
  });

  it('a server that floods a client that does not read is held up, and ends with it', async () => {
    const above = await peakAbove([HOSTILE, 'flood'], async (running) => {
      running.output.pause();
      running.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
      await setTimeout(1500);
    });
    expect(above).toBeLessThan(MOST_ABOVE);
  });

  it('a server that answers byte by byte is as good as any other', async () => {
    const running = start('clawai', HOSTILE, 'drip', '100000');
    running.send('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
    const [answer = ''] = await running.lines(1);
    expect(JSON.parse(answer)).toEqual({ jsonrpc: '2.0', id: 7, result: { text: 'é'.repeat(100_000) } });
    await running.close();
  });

  it('is flat over a million messages', async () => {
    const running = start('clawai', ECHO);
    running.output.removeAllListeners('data');
    let answers = 0;
    running.output.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) answers++;
    });
    const memory: number[] = [];
    for (let id = 1; id <= 1_000_000; id += 1000) {
      const floor = id - 20_000;
      const line = (i: number): string => `{"jsonrpc":"2.0","id":${id + i},"method":"${i % 10 === 0 ? 'tools/list' : 'ping'}"}\n`;
      await send(running, Buffer.from(Array.from({ length: 1000 }, (_, i) => line(i)).join('')));
      await reached(() => answers >= floor);
      if (id === 200_001) memory.push(residentMemory(running.pid, 'now'));
    }
    await reached(() => answers >= 1_000_000);
    memory.push(residentMemory(running.pid, 'now'));
    const [early = 0, late = 0] = memory;
    expect(late).toBeLessThan(early * 1.25 + 5);
    await running.close();
  });
});
