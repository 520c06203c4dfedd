import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../src/gate/fail-closed.ts';
import { BUSY, DROP, FORWARD, type Verdict } from '../../../src/gate/verdict.ts';
import type { Interceptor } from '../../../src/gate/interceptor.ts';
import { Rounds } from '../../../src/gate/rounds.ts';
import { relayStream, type StreamEnd } from '../../../src/transport/mcp-http/stream-relay.ts';

/** What a message asks the gate for, in its `v`. */
type Wish = 'forward' | 'replace' | 'drop' | 'reply' | 'both' | 'recorded' | 'unrecorded' | 'parked' | 'busy' | 'busy-parked';

class Relay {
  readonly source = new PassThrough({ highWaterMark: 1 << 20 });
  readonly response: PassThrough;
  readonly judged: string[] = [];
  readonly back: string[] = [];
  /** Settles what is parked, in the order it came. */
  readonly parked: ((verdict: Verdict) => void)[] = [];
  readonly end: Promise<StreamEnd>;
  received = '';
  readonly #isBusy = new Set<string>();

  constructor({ maxFrame = 1 << 20, room = 1 << 20, isRead = true } = {}) {
    this.response = new PassThrough({ highWaterMark: room });
    if (isRead) this.response.on('data', (chunk: Buffer) => (this.received += chunk.toString('utf8')));
    const gate = {
      fromServer: (bytes: Buffer, start: number, end: number) => this.#judge(bytes, start, end),
      // Such a gate knows nothing again.
      alike: { pass: (_bytes: Buffer, from: number) => from, learn: () => {} },
      commit: () => true,
      ready: () => setImmediate(),
    };
    this.end = relayStream({
      source: this.source,
      response: this.response as unknown as ServerResponse,
      gate: gate as unknown as Interceptor,
      rounds: new Rounds(),
      listening: undefined,
      maxFrame,
      postBack: (lines) => this.back.push(lines),
      ended: () => '',
      tooLong: () => '{"tooLong":true}\n',
    });
  }

  #judge(bytes: Buffer, start: number, end: number): Judgement {
    const text = bytes.toString('utf8', start, end);
    const wish = /"v": ?"([a-z-]+)"/.exec(text)?.[1] as Wish | undefined;
    if (wish?.startsWith('busy') === true && !this.#isBusy.has(text)) {
      this.#isBusy.add(text);
      return BUSY;
    }
    this.judged.push(text);
    switch (wish) {
      case 'replace':
        return { kind: 'replace', line: '{"new":1}\n{"new":2}\n' };
      case 'both':
        return { kind: 'replace', line: '{"new":3}\n', reply: '{"back":2}\n' };
      case 'drop':
        return DROP;
      case 'reply':
        return { kind: 'reply', line: '{"back":1}\n' };
      case 'recorded':
        return { kind: 'recorded', verdict: FORWARD, otherwise: () => DROP };
      case 'unrecorded':
        // As a gate does, which looks at the message again only then.
        return {
          kind: 'recorded',
          verdict: { kind: 'replace', line: `${bytes.toString('utf8', start, end)}\n` },
          otherwise: () => DROP,
        };
      case 'parked':
      case 'busy-parked':
        return new Promise((resolve) => this.parked.push(resolve));
      default:
        return FORWARD;
    }
  }
}

const PLAIN = 'id: 1\ndata: {"v":"forward","n":1}\n\n';
const TRANSCRIPT = [
  PLAIN,
  ': still here\n\n',
  'id: 2\ndata: {"v":"drop"}\n\n',
  'event: message\nid: 3\nretry: 50\ndata: {"v":"replace"}\n\n',
  'data: {"v":"reply"}\n\n',
  'id: 4\ndata: {"v":"both"}\n\n',
  'id: 5\ndata: {"v":"recorded"}\n\n',
  'id: 6\ndata: {"v":"busy"}\n\n',
  'id: 7\n\n',
  'retry: 70\ndata:\n\n',
  'event: progress\ndata: half of it\n\n',
  'event: odd\ndata: {"v":"drop"}\n\n',
  'data: {"v":\ndata: "forward"}\n\n',
  'id: 8\r\ndata: {"v":"forward","n":"ü"}\r\n\r\n',
  'data: {"cut off":',
].join('');
const EXPECTED = [
  PLAIN,
  ': still here\n\n',
  'id: 2\ndata:\n\n',
  'event: message\nid: 3\nretry: 50\ndata: {"new":1}\n\n',
  'event: message\ndata: {"new":2}\n\n',
  'id: 4\ndata: {"new":3}\n\n',
  'id: 5\ndata: {"v":"recorded"}\n\n',
  'id: 6\ndata: {"v":"busy"}\n\n',
  'id: 7\n\n',
  'retry: 70\ndata:\n\n',
  'event: progress\ndata: half of it\n\n',
  'data: {"v": "forward"}\n\n',
  'id: 8\r\ndata: {"v":"forward","n":"ü"}\r\n\r\n',
].join('');

/** Without what does not matter to any reader: how lines end, and how many blank ones there are. */
function readable(stream: string): string {
  return stream.replaceAll('\r\n', '\n').replaceAll(/\n{3,}/g, '\n\n');
}

async function relayed(chunks: readonly Buffer[]): Promise<Relay> {
  const relay = new Relay();
  for (const chunk of chunks) {
    relay.source.write(chunk);
    await setImmediate();
  }
  relay.source.end();
  expect(await relay.end).toBe('ended');
  await setImmediate();
  return relay;
}

describe('a stream that is relayed', () => {
  const bytes = Buffer.from(TRANSCRIPT);

  it('is what the verdicts make of it, also where it comes byte by byte', async () => {
    for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.of(byte))]) {
      const { received, back } = await relayed(chunks);
      expect(readable(received)).toBe(readable(EXPECTED));
      expect(back).toEqual(['{"back":1}\n', '{"back":2}\n']);
    }
  });

  it('is the same wherever it is cut', async () => {
    const wrong: number[] = [];
    const all = Array.from({ length: bytes.length - 1 }, async (_, index) => {
      const at = index + 1;
      const { received } = await relayed([Buffer.from(bytes.subarray(0, at)), Buffer.from(bytes.subarray(at))]);
      if (readable(received) !== readable(EXPECTED)) wrong.push(at);
    });
    await Promise.all(all);
    expect(wrong).toEqual([]);
  });

  it('what the gate looks at later is still there, although the memory of a cut frame is used again', async () => {
    const frame = (n: number): string => `data: {"v":"unrecorded","n":${n}}\n\n`;
    const seen: Judgement[] = [];
    const source = new PassThrough();
    const lent: { bytes: Buffer; text: string }[] = [];
    const gate = {
      fromServer: (line: Buffer, start: number, end: number): Judgement => {
        lent.push({ bytes: line.subarray(start, end), text: line.toString('utf8', start, end) });
        const judged: Judgement = { kind: 'recorded', verdict: FORWARD, otherwise: () => DROP };
        seen.push(judged);
        return judged;
      },
      alike: { pass: (_bytes: Buffer, from: number) => from, learn: () => {} },
      commit: () => {
        for (const { bytes: kept, text } of lent) expect(kept.toString('utf8')).toBe(text);
        return true;
      },
      ready: () => Promise.resolve(),
    };
    const response = new PassThrough();
    let received = '';
    response.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const end = relayStream({
      source,
      response: response as unknown as ServerResponse,
      gate: gate as unknown as Interceptor,
      rounds: new Rounds(),
      listening: undefined,
      maxFrame: 1000,
      postBack: () => {},
      ended: () => '',
      tooLong: () => '',
    });
    source.write(frame(1).slice(0, 12));
    await setImmediate();
    source.end(frame(1).slice(12) + frame(2).slice(0, -1) + `\n${frame(3)}`);
    expect(await end).toBe('ended');
    await setImmediate();
    expect(received).toBe(frame(1) + frame(2) + frame(3));
    expect(seen).toHaveLength(3);
  });
});

describe('messages by other names', () => {
  it.each([
    'event: odd\ndata: {"v":"drop"}\n\n',
    'event: message \ndata: {"v":"drop"}\n\n',
    'event: odd\ndata:  \t{"v":"drop"}\n\n',
    'event: odd\ndata: \uFEFF{"v":"drop"}\n\n',
    'event: odd\ndata: [{"v":"drop"}]\n\n',
    'event: odd\ndata: \ndata: {"v":"drop"}\n\n',
    'event: odd\nevent:\ndata: {"v":"drop"}\n\n',
    'data\ndata: {"v":"drop"}\n\n',
  ])('%j is judged', async (frame) => {
    const relay = await relayed([Buffer.from(frame)]);
    expect(relay.judged).toHaveLength(1);
    expect(relay.received).toBe('');
  });

  it.each(['event: endpoint\ndata: https://elsewhere.example/mcp\n\n', 'event:  Endpoint\ndata: /mcp\n\n'])(
    '%j would send the client past us, and does not pass',
    async (frame) => {
      expect((await relayed([Buffer.from(frame)])).received).toBe('');
    },
  );
});

describe('events that wait for a person', () => {
  const PARKED = 'id: 1\ndata: {"v":"parked"}\n\n';

  it('are passed by, and come without the id that would have the client resume too early', async () => {
    const relay = new Relay();
    relay.source.write(`${PARKED}id: 2\ndata: {}\n\n`);
    await setImmediate();
    expect(relay.received).toBe('id: 2\ndata: {}\n\n');
    relay.parked[0]?.(FORWARD);
    await setImmediate();
    expect(relay.received).toBe('id: 2\ndata: {}\n\ndata: {"v":"parked"}\n\n');
  });

  it('are passed by also where the store was taken first', async () => {
    const relay = new Relay();
    relay.source.write('data: {"v":"busy-parked"}\n\ndata: {"n":1}\n\n');
    for (let turns = 0; relay.received === '' && turns < 20; turns++) await setImmediate();
    expect(relay.received).toBe('data: {"n":1}\n\n');
    relay.source.write('data: {"n":2}\n\n');
    await setImmediate();
    expect(relay.received).toContain('{"n":2}');
    relay.parked[0]?.(FORWARD);
    await setImmediate();
    expect(relay.received).toContain('busy-parked');
  });

  it('still come where the server has ended its stream, which ends after them', async () => {
    const relay = new Relay();
    relay.source.end(PARKED);
    for (let turns = 0; turns < 5; turns++) await setImmediate();
    expect(relay.response.writableEnded).toBe(false);
    relay.parked[0]?.({ kind: 'replace', line: '{"denied":true}\n' });
    expect(await relay.end).toBe('ended');
    await setImmediate();
    expect(relay.received).toBe('data: {"denied":true}\n\n');
  });

  it('what the server is answered is sent also where the client has gone', async () => {
    const relay = new Relay();
    relay.source.write(PARKED);
    await setImmediate();
    relay.response.destroy();
    expect(await relay.end).toBe('client_gone');
    relay.parked[0]?.({ kind: 'reply', line: '{"denied":true}\n' });
    await setImmediate();
    expect(relay.back).toEqual(['{"denied":true}\n']);
  });

  it('end the stream where their verdict fails', async () => {
    const relay = new Relay();
    relay.source.write(PARKED);
    await setImmediate();
    relay.parked[0]?.(Promise.reject(new Error('a bug')) as unknown as Verdict);
    expect(await relay.end).toBe('broken');
    expect(relay.received).toBe('');
  });
});

describe('the end', () => {
  it('an event that is too long: what came before passes, whoever waits is told, and the source is let go', async () => {
    const relay = new Relay({ maxFrame: 100 });
    relay.source.write(`${PLAIN}id: 5\ndata: {"v":"recorded"}\n\ndata: "${'x'.repeat(200)}`);
    expect(await relay.end).toBe('too_long');
    await setImmediate();
    expect(relay.received).toBe(`${PLAIN}id: 5\ndata: {"v":"recorded"}\n\ndata: {"tooLong":true}\n\n`);
    expect(relay.response.writableEnded).toBe(true);
    expect(relay.source.destroyed).toBe(true);
  });

  it('a source that breaks is seen to have broken', async () => {
    const relay = new Relay();
    relay.response.on('error', () => {});
    relay.source.write(PLAIN);
    await setImmediate();
    relay.source.destroy(new Error('reset'));
    expect(await relay.end).toBe('broken');
    expect(relay.response.destroyed).toBe(true);
  });

  it('a client that goes lets the source go', async () => {
    const relay = new Relay();
    relay.source.write(PLAIN);
    await setImmediate();
    relay.response.destroy();
    expect(await relay.end).toBe('client_gone');
    expect(relay.source.destroyed).toBe(true);
  });

  it('a client that went before is noticed', async () => {
    const relay = new Relay();
    relay.response.destroy();
    expect(await relay.end).toBe('client_gone');
  });
});

it('a client that reads slowly is waited for', async () => {
  const relay = new Relay({ room: 1000, isRead: false });
  const frame = `data: {"text":"${'x'.repeat(100)}"}\n\n`;
  let most = 0;
  for (let i = 0; i < 200; i++) {
    relay.source.write(frame);
    await setImmediate();
    most = Math.max(most, relay.response.readableLength + relay.response.writableLength);
  }
  // One chunk beyond what there is room for, in both halves of what stands for the socket.
  expect(most).toBeLessThan(3 * 1000);
  expect(relay.source.isPaused()).toBe(true);
  relay.source.end();
  let received = '';
  relay.response.on('data', (chunk: Buffer) => (received += chunk.toString()));
  expect(await relay.end).toBe('ended');
  for (let turns = 0; received.length < 200 * frame.length && turns < 500; turns++) await setImmediate();
  expect(received).toBe(frame.repeat(200));
});

it('a stream of nothing but tiny frames leaves others their turn', async () => {
  const relay = new Relay({ room: 1 << 24 });
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  // As the connection delivers it: all that one turn brings, in chunks of 64 KiB.
  const chunk = Buffer.from('x\n\n'.repeat(21_845));
  for (let chunks = 0; chunks < 15; chunks++) relay.source.write(chunk);
  relay.source.end();
  expect(await relay.end).toBe('ended');
  clearInterval(counting);
  expect(turns).toBeGreaterThan(5);
});
