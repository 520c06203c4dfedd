import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EraBridge } from '../../../src/transport/bridge/era-bridge.ts';
import { until } from '../../support/until.ts';

type Message = Readonly<Record<string, unknown>>;

/** Answers a line, with lines; undefined to say nothing. */
type Server = (message: Message) => Message | string | undefined;

/** A client and a server with a bridge between them. */
class Bridged {
  readonly input = new PassThrough();
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly warnings: string[] = [];
  readonly bridge: EraBridge;
  /** Everything that reached the server and the client. */
  seen = '';
  out = '';
  hasEnded = false;

  constructor(server: Server, { isModernOnly = false, message = 1 << 20 } = {}) {
    this.bridge = new EraBridge({
      server: {
        stdin: this.stdin,
        stdout: this.stdout,
        stderr: null,
        exited: new Promise(() => {}),
        signal: () => {},
        isThere: () => true,
        release: () => {},
      },
      input: this.input,
      limits: { message, depth: 64 },
      isModernOnly,
      warn: (line) => this.warnings.push(line),
    });
    createInterface({ input: this.stdin }).on('line', (line) => {
      this.seen += `${line}\n`;
      const answer = server(JSON.parse(line) as Message);
      if (answer === undefined) return;
      this.stdout.write(typeof answer === 'string' ? answer : `${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`);
    });
    this.bridge.stdout.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.bridge.stdout.once('end', () => (this.hasEnded = true));
    // In place of the relay and its gate.
    this.input.on('data', (chunk: Buffer) => this.bridge.stdin.write(chunk));
  }

  async says(text: string): Promise<void> {
    await until(text, () => this.out.includes(text));
  }
}

const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}\n';
const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
const DISCOVER = `{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{${META}}}\n`;
const CALL = `{ "jsonrpc":"2.0","id":3,"method":"tools/list","params":{${META}}}\n`;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
const REFUSAL = { code: -32022, message: 'unsupported', data: { supported: ['2026-07-28'] } };
const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: {} };

/** A server of one era, whatever it is asked. */
const modern: Server = ({ id, method }) =>
  method === 'server/discover' ? { id, result: DISCOVERED } : id === undefined ? undefined : { id, error: REFUSAL };
const legacy: Server = ({ id, method }) =>
  id === undefined
    ? undefined
    : method === 'initialize'
      ? { id, result: { protocolVersion: '2025-06-18', capabilities: {} } }
      : { id, error: { code: -32601, message: 'Method not found' } };

afterEach(() => void vi.useRealTimers());

describe('a client that greets', () => {
  it('is translated for if the server refuses it and speaks the other era', async () => {
    const bridged = new Bridged(modern);
    bridged.input.write(INITIALIZE);
    await bridged.says('"protocolVersion":"2025-06-18"');
    expect(bridged.out).not.toContain('unsupported');
    bridged.input.write(PING);
    await bridged.says('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect(bridged.seen).not.toContain('ping');
  });

  it('has its bytes passed as they are if the server takes it', async () => {
    const odd = '{ "id" : 0, "result":{"a": 1.0} , "jsonrpc":"2.0"}\r\nnoise\n{"half';
    const bridged = new Bridged(({ method }) => (method === 'initialize' ? odd : undefined));
    bridged.stdout.write('log line\n');
    bridged.input.write(INITIALIZE.slice(0, 30));
    await setTimeout(20);
    bridged.input.write(INITIALIZE.slice(30));
    await bridged.says('{"half');
    expect(bridged.out).toBe(`log line\n${odd}`);
    expect(bridged.seen).toBe(INITIALIZE);
    expect(bridged.bridge.stdin).toBe(bridged.stdin);
    bridged.stdout.write('way"}\n');
    await bridged.says('{"halfway"}\n');
  });

  it.each<[string, Server]>([
    ['knows neither', ({ id }) => ({ id, error: REFUSAL })],
    ['answers with something else', ({ id, method }) => (method === 'initialize' ? { id, error: REFUSAL } : { id, result: {} })],
    [
      'speaks another era',
      ({ id, method }) =>
        method === 'initialize' ? { id, error: REFUSAL } : { id, result: { supportedVersions: ['2031-01-01', 7] } },
    ],
  ])('gets the words of a server that %s', async (what, server) => {
    const bridged = new Bridged(server);
    bridged.input.write(INITIALIZE);
    await bridged.says('"unsupported"');
    expect(bridged.out).toBe(`${JSON.stringify({ jsonrpc: '2.0', id: 0, error: REFUSAL })}\n`);
    expect(bridged.bridge.stdin).toBe(bridged.stdin);
    if (what === 'speaks another era') expect(bridged.warnings.join('')).toContain('speaks MCP 2031-01-01, from which');
    else if (what === 'knows neither') expect(bridged.warnings).toEqual([]);
    else expect(bridged.warnings.join('')).toContain('it answers server/discover with something else');
  });

  it('gets the words of a server that ends or hangs when it is asked', async () => {
    const ending: Bridged = new Bridged(({ id, method }) => {
      if (method === 'initialize') return { id, error: REFUSAL };
      ending.stdout.end();
      return undefined;
    });
    ending.input.write(INITIALIZE);
    await until('its end', () => ending.hasEnded);
    expect(ending.out).toContain('"unsupported"');

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hanging = new Bridged(({ id, method }) => (method === 'initialize' ? { id, error: REFUSAL } : undefined));
    hanging.input.write(INITIALIZE);
    await vi.waitFor(() => expect(hanging.seen).toContain('server/discover'));
    expect(hanging.out).toBe('');
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(hanging.out).toContain('"unsupported"'));
  });

  it('gets what is too long as something too long', async () => {
    const long = 'x'.repeat(9000);
    const bridged = new Bridged(
      ({ id, method, ...rest }) => (method === 'tools/list' ? { id, result: { long } } : modern({ id, method, ...rest })),
      { message: 8000 },
    );
    bridged.input.write(INITIALIZE);
    await bridged.says('protocolVersion');
    bridged.input.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n');
    await until('the long line', () => bridged.out.split('\n').length === 3);
    const line = bridged.out.split('\n')[1] ?? '';
    expect(line.length).toBeGreaterThan(8000);
    expect(line).toMatch(/^\{"jsonrpc":"2\.0","id":2,/);
  });
});

describe('a client of only the modern era', () => {
  it('has its bytes passed as they are if the server speaks it, too', async () => {
    const bridged = new Bridged(modern, { isModernOnly: true });
    bridged.input.write(CALL);
    await bridged.says('"id":3');
    expect(bridged.seen.split('\n')[0]).toContain('server/discover');
    expect(bridged.seen).toContain(CALL);
  });

  it('is translated for if the server speaks only the other era', async () => {
    const bridged = new Bridged(legacy, { isModernOnly: true });
    bridged.input.write(DISCOVER + CALL);
    await bridged.says('"supportedVersions":["2026-07-28"]');
    await bridged.says('"id":3');
    expect(bridged.seen).toContain('notifications/initialized');
    expect(bridged.seen.split('server/discover')).toHaveLength(2);
  });

  it('gets the words of a server that knows neither, of one that hangs, and of one that ends', async () => {
    const neither = new Bridged(({ id }) => ({ id, error: REFUSAL }), { isModernOnly: true });
    neither.input.write(DISCOVER);
    await neither.says('{"jsonrpc":"2.0","id":"d","error"');

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hanging = new Bridged(() => undefined, { isModernOnly: true });
    hanging.input.write(DISCOVER);
    await vi.waitFor(() => expect(hanging.seen).toContain('server/discover'));
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(hanging.seen).toContain('initialize'));
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(() => expect(hanging.seen).toContain(DISCOVER));
    hanging.stdout.end();
    await vi.waitFor(() => expect(hanging.hasEnded).toBe(true));
  });

  it('ends without a word', async () => {
    const bridged = new Bridged(legacy, { isModernOnly: true });
    bridged.bridge.stdin.end();
    await until('the end of input', () => bridged.stdin.writableFinished);
    expect(bridged.seen).toBe('');
  });
});
