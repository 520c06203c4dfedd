import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TallyReport } from '../../../src/gate/tally.ts';
import type { ScanJobQueue } from '../../../src/gate/ports/ports.ts';
import { Interceptor } from '../../../src/gate/interceptor.ts';
import { Rounds } from '../../../src/gate/rounds.ts';
import { relayStream } from '../../../src/transport/mcp-http/stream-relay.ts';
import { testSetup } from '../../support/gate.ts';
import { runs } from '../../support/runs.ts';

/** Messages of a server that may wait to be scanned. */
const ROOM = 6;

interface Relayed {
  readonly received: string;
  readonly tally: TallyReport;
  /** Bytes of each message that is to be scanned. */
  readonly toBeScanned: readonly number[];
  /** How many calls of the gate's judged one message. */
  readonly judged: number;
}

/** Relays a stream by a real gate, which knows no event again where `isAlike` is false. */
async function relay(policy: string, chunks: readonly Buffer[], { isAlike = true, maxFrame = 1000 } = {}): Promise<Relayed> {
  const toBeScanned: number[] = [];
  const scanQueue: ScanJobQueue = {
    hasRoom: () => toBeScanned.length < ROOM,
    add: ({ bytes, when, scan }) => {
      if (when === 'held') return scan({ letOthers: () => Promise.resolve() });
      toBeScanned.push(bytes);
      return new Promise(() => {});
    },
    hurry: () => {},
  };
  const gate = new Interceptor(testSetup(policy, { scanQueue }));
  if (!isAlike) gate.alike.pass = (_bytes, from) => from;
  let judged = 0;
  const fromServer = gate.fromServer.bind(gate);
  gate.fromServer = (...message) => {
    judged++;
    return fromServer(...message);
  };
  const source = new PassThrough({ highWaterMark: 1 << 20 });
  const response = new PassThrough({ highWaterMark: 1 << 20 });
  let received = '';
  response.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  const end = relayStream({
    source,
    response: response as unknown as ServerResponse,
    gate,
    rounds: new Rounds(),
    listening: undefined,
    maxFrame,
    postBack: () => {},
    ended: () => '',
    tooLong: () => '{"tooLong":true}\n',
  });
  for (const chunk of chunks) {
    // Memory that is written again would show.
    source.write(Buffer.from(chunk));
    await setImmediate();
  }
  source.end();
  await end;
  await setImmediate();
  return { received, tally: gate.report(), toBeScanned, judged };
}

function cut(stream: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map((place) => place % (stream.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, i) => stream.subarray(from, cuts[i] ?? stream.length));
}

const progress = (n: number | string, text = 'a word', more = ''): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":${n},"message":"${text}"${more}}}`;
const frame = (data: string, head = 'event: message\n'): string => `${head}data: ${data}\n\n`;

const DENY = '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nmethod = "notifications/message"\n';
const POLICIES = [
  '[defaults]\naction = "allow"\n',
  `${DENY}args.level = "secret"\n`,
  '[defaults]\naction = "allow"\n[detection]\nenabled = false\n',
  '[defaults]\naction = "allow"\n[detection]\non_result = "redact"\n',
];

const data = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.nat(120), fc.string({ unit: 'binary', maxLength: 12 }))
      .map(([n, text]) => progress(n, JSON.stringify(text).slice(1, -1))),
  },
  { weight: 3, arbitrary: fc.constantFrom('-1', '01', '1.5', '1e3', '', 'true', '"7"', '1 ').map((n) => progress(n)) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        '\u0085',
        '\u2028',
        '\u000b',
        '\t',
        '\\',
        '\\x',
        '\\u12',
        '"',
        '","inputRequests":{"a":{}},"b":"',
        '"},"method":"x","b":{"c":"',
        '\ufeff',
      )
      .map((text) => progress(1, text)),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('inputRequests', 'InputRequests', 'inputrequest\\u0073', 'progress', 'x')
      .map((key) => progress(2, 'a word', `,"${key}":{"q":{"method":"elicitation/create","params":{}}}`)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"secret"}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}',
      '{"jsonrpc":"2.0","id":9,"method":"ping"}',
      '{"jsonrpc":"2.0","id":9,"result":{}}',
      '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a","arguments":{}}}',
      '{"jsonrpc":"2.0","method":"notifications/progress"}',
      '[{"jsonrpc":"2.0","method":"notifications/progress"}]',
      '{"a":',
    ),
  },
);
const head = fc.oneof(
  { weight: 6, arbitrary: fc.constant('event: message\n') },
  { weight: 4, arbitrary: fc.nat(20).map((n) => `id: s_${n}\n`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'event: endpoint\n',
      'event: message\nid: \u0085\n',
      ': still here\n',
      'id: 1\nid: 2\n',
      'event: message\r\n',
    ),
  },
);
/** Some in a row have the same head, as those of a server do. */
const stream = fc
  .array(fc.tuple(head, fc.array(data, { minLength: 1, maxLength: 25 })), { minLength: 1, maxLength: 4 })
  .map((groups) => Buffer.from(groups.flatMap(([fields, all]) => all.map((one) => frame(one, fields))).join('')));

describe('events that are known again', () => {
  it('pass as they would one by one, and are counted and scanned alike, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        stream,
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.constantFrom(...POLICIES),
        async (bytes, places, policy) => {
          const chunks = cut(bytes, places);
          const { judged: _alike, ...alike } = await relay(policy, chunks);
          const { judged: _one, ...one } = await relay(policy, chunks, { isAlike: false });
          expect(alike).toEqual(one);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('are most of a stream of progress, with ids or without', async () => {
    for (const idOf of [() => '', (n: number): string => `id: stream_${n}\n`]) {
      const frames = Array.from({ length: 200 }, (_, n) =>
        frame(progress(n, `step ${n} "done"`.replaceAll('"', '\\"')), idOf(n)),
      );
      const { received, tally, judged } = await relay(POLICIES[0] ?? '', [Buffer.from(frames.join(''))]);
      expect(received).toBe(frames.join(''));
      expect(tally.methods).toEqual({ '<-notifications/progress': 200 });
      expect(judged).toBeLessThan(10);
    }
  });

  it('are no longer than an event may be', async () => {
    const frames = [...Array.from({ length: 20 }, (_, n) => frame(progress(n))), frame(progress(1, 'x'.repeat(2000)))];
    const { received } = await relay(POLICIES[0] ?? '', [Buffer.from(frames.join(''))]);
    expect(received).toBe(`${frames.slice(0, -1).join('')}data: {"tooLong":true}\n\n`);
  });
});
