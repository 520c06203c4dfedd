import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Rounds } from '../../../src/gate/rounds.ts';
import { responsesApiAt } from '../../../src/protocol/llm/openai/responses/api.ts';
import { SseSplitter } from '../../../src/protocol/sse/splitter.ts';
import { JudgedStream } from '../../../src/transport/llm/judged-stream.ts';
import { ALLOW, createModelGate } from '../../support/llm-route.ts';
import { begun, call, completed, itemEvents, numbered } from '../../support/response-events.ts';

const MIB = 1024 * 1024;

/** Calls are held until their arguments are complete. */
const HOLD = `${ALLOW}[[rule]]\naction = "deny"\ntool = "**"\n[rule.args]\ncontent = { equals = "never" }\n`;

/** A judged answer for a client that takes one write at a time. */
function forSlowReader(): {
  push: (events: string) => Promise<void>;
  stream: JudgedStream;
  read: () => void;
  log: string[];
  text: () => string;
  written: () => number;
} {
  const out: string[] = [];
  const log: string[] = [];
  let isFull = false;
  let written = 0;
  const write = (text: string): void => {
    out.push(text);
    written += text.length;
    isFull = true;
  };
  const { gate } = createModelGate(HOLD);
  const request = { dialect: 'openai', id: 'r.1', client: undefined, tools: new Map() };
  const api = responsesApiAt('/v1/responses');
  const stream = new JudgedStream(
    { api, gate, rounds: new Rounds(), request, maxFrame: 16 * MIB, warn: (line) => log.push(line) },
    {
      get isFull() {
        return isFull;
      },
      pass: ({ bytes, start, end }) => write(bytes.toString('utf8', start, end)),
      own: (bytes) => write(bytes.toString()),
      text: write,
      judged: () => log.push('judged'),
      finish: (end) => log.push(end),
    },
  );
  const splitter = new SseSplitter({ maxFrame: 16 * MIB });
  return {
    stream,
    log,
    text: () => out.join(''),
    written: () => written,
    push: async (events) => {
      const bytes = Buffer.from(events);
      for (let at = 0; at < bytes.length; at += 65_536) {
        // Chunks are overwritten afterwards: nothing may be kept of their bytes.
        const chunk = Buffer.from(bytes.subarray(at, at + 65_536));
        splitter.push(chunk, (event) => stream.push(event));
        chunk.fill(0x21);
        // As long as a verdict is awaited, nothing comes.
        while (stream.isAsking) await setImmediate();
      }
    },
    read: () => {
      isFull = false;
      stream.resume();
    },
  };
}

const ITEM = call('Write', JSON.stringify({ content: 'é😀"\n\u2028'.repeat(300_000) }));
const EVENTS = numbered([...begun(), ...itemEvents(ITEM, 0, 4096), completed([ITEM])]);

/** The data of each event, with pieces of arguments joined to what they are together. */
function meaning(text: string): unknown[] {
  const events = text.split('\n\n').filter((frame) => frame !== '');
  const all: unknown[] = [];
  let pieces = '';
  for (const event of events) {
    const {
      delta,
      sequence_number: _number,
      ...rest
    } = JSON.parse(event.replace(/^[^]*?\ndata: /, '')) as Record<string, unknown>;
    if (typeof delta === 'string') pieces += delta;
    else {
      if (pieces !== '') all.push(pieces);
      pieces = '';
      all.push(rest);
    }
  }
  return all;
}

it('makes a long call only as fast as the client reads it, and all that follows comes after it', async () => {
  const { push, stream, read, text, written, log } = forSlowReader();
  await push(EVENTS);
  expect(stream.isWaiting).toBe(true);
  expect(written()).toBeLessThan(100_000);
  for (let reads = 0; stream.isWaiting && reads < 10_000; reads += 1) {
    const before = written();
    read();
    expect(written() - before).toBeLessThan(300_000);
  }
  expect([...new Set(log)]).toEqual(['judged']);
  expect(meaning(text())).toEqual(meaning(EVENTS));
});

it('tells the client of a fault behind what it has not read yet', async () => {
  const { push, text, log } = forSlowReader();
  await push(EVENTS.slice(0, EVENTS.indexOf('event: response.completed')));
  await push('event: response.completed\ndata: {"type":"response.completed","response":\n\n');
  expect(log.at(-1)).toBe('fault');
  const all = meaning(text());
  expect(all.slice(0, -1)).toEqual(meaning(EVENTS).slice(0, -1));
  expect(all.at(-1)).toMatchObject({ type: 'error' });
});

it('writes nothing more once it is closed', async () => {
  const { push, stream, read, text } = forSlowReader();
  await push(EVENTS);
  stream.close();
  const before = text();
  read();
  expect([text() === before, stream.isWaiting]).toEqual([true, false]);
});
