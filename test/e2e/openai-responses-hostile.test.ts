/** @module-tag long */
// What is to bring clawai down by OpenAI's Responses API, through the real program: bombs, many calls at a time, and streams that break off.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import { createGzip, createZstdCompress } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { readUntilCut } from '../support/llm-route.ts';
import { residentMemory } from '../support/memory.ts';
import { accumulateResponse } from '../support/response-accumulator.ts';
import { begun, call, completed, type Item, itemEvents, numbered, response, stream } from '../support/response-events.ts';
import { Serving } from '../support/serving.ts';

const MEBIBYTE = 1024 * 1024;
/** What a bomb becomes. */
const MEBIBYTES = 1024;
/** MiB that clawai may take for it. A body may have 64. */
const MOST = 320;

const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\nargs.command = "**rm -r**"\n';
const RM = call('Bash', '{"command":"rm -r /"}');

/** Text that becomes so much, around a string that never ends. */
async function bomb(
  encode: NodeJS.ReadWriteStream,
  front: string,
  letters = 'x',
  size = MEBIBYTES,
): Promise<Buffer<ArrayBuffer>> {
  const chunk = Buffer.from(letters.repeat(MEBIBYTE / letters.length));
  const chunks = Readable.from([Buffer.from(front), ...Array.from({ length: size }, () => chunk)]);
  const made = buffer(encode as unknown as NodeJS.ReadableStream);
  await pipeline(chunks, encode);
  return Buffer.from(await made);
}

const sandbox = useSandbox();
let answer: (response: ServerResponse, body: string) => void;
let asked = 0;
let upstream: Server;
let serving: Serving;
let url = '';
beforeEach(async () => {
  asked = 0;
  upstream = createServer((request, reply) => {
    asked++;
    buffer(request).then(
      (body) => answer(reply, body.toString()),
      () => {},
    );
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const config = `[llm.providers.openai]\nbase_url = "http://127.0.0.1:${port}/v1"\n`;
  serving = await Serving.start(sandbox.current, { policy: POLICY, config });
  url = `${serving.llmUrl('openai')}/responses`;
});
afterEach(async () => {
  await serving.stop();
  upstream.closeAllConnections();
  upstream.close();
});

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const ask = (isStream: boolean): Promise<Response> => post(JSON.stringify({ model: 'm', input: 'x', stream: isStream }));

describe.skipIf(process.platform !== 'linux')('hazard 4: a bomb', () => {
  let gzipped: Buffer<ArrayBuffer>;
  let zstd: Buffer<ArrayBuffer>;
  let event: Buffer<ArrayBuffer>;
  let events: Buffer<ArrayBuffer>;
  beforeAll(async () => {
    gzipped = await bomb(createGzip(), '{"model":"m","output":[],"input":"');
    zstd = await bomb(createZstdCompress(), '{"model":"m","input":"');
    event = await bomb(createGzip(), `${numbered(begun())}event: response.output_text.delta\ndata: {"delta":"`);
    const open = numbered([...begun(), ...itemEvents(RM, 0).slice(0, 1)]);
    const piece = '{"type":"response.function_call_arguments.delta","output_index":0,"delta":"xxxxxxx"}';
    const letters = `event: response.function_call_arguments.delta\ndata: ${piece}\n\n`.padEnd(128, '\n');
    events = await bomb(createGzip(), open, letters, MEBIBYTES / 8);
  }, 120_000);

  /** MiB that this took at most. */
  async function taken(work: () => Promise<void>): Promise<number> {
    const { pid } = serving.process;
    const before = residentMemory(pid, 'now');
    await work();
    return residentMemory(pid, 'peak') - before;
  }

  it.each(['zstd', 'gzip'])('in a request, as %s', async (encoding) => {
    const memory = await taken(async () => {
      const refused = await post(encoding === 'zstd' ? zstd : gzipped, { 'content-encoding': encoding });
      expect([refused.status, await refused.json()]).toEqual([
        413,
        { error: expect.objectContaining({ message: expect.stringContaining('longer than clawai accepts (limits.message') }) },
      ]);
    });
    expect([asked, memory < MOST || memory]).toEqual([0, true]);
  });

  it('in a whole answer', async () => {
    answer = (reply) => reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipped);
    const memory = await taken(async () => {
      const refused = await ask(false);
      expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining('could not be read (too_large)')]);
    });
    expect(memory < MOST || memory).toBe(true);
  });

  it.each(['one event', 'the arguments of a call'])('in a streamed answer, as %s', async (what) => {
    answer = (reply) =>
      reply
        .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
        .end(what === 'one event' ? event : events);
    const memory = await taken(async () => {
      const { text } = await readUntilCut(await ask(true));
      expect(text).not.toContain('xxx');
      if (what === 'one event') expect(text).toMatch(/clawai ended this answer: it has an event that is longer than clawai/);
    });
    expect(memory < MOST || memory).toBe(true);
    // It goes on.
    answer = (reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response([])));
    expect((await ask(false)).status).toBe(200);
  });
});

it('decides each of a hundred calls at a time, in a hundred answers at a time', async () => {
  const calls = Array.from({ length: 100 }, (_, n) =>
    call('Bash', JSON.stringify({ command: n % 2 === 0 ? `ls ${n}` : `rm -r ${n}` }), { call_id: `c_${n}`, id: `fc_${n}` }),
  );
  answer = (reply, body) => {
    const isStream = body.includes('"stream":true');
    reply
      .writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      .end(isStream ? stream(calls) : JSON.stringify(response(calls)));
  };
  const answers = await Promise.all(Array.from({ length: 100 }, async (_, n) => (await ask(n % 2 === 0)).text()));
  for (const [n, text] of answers.entries()) {
    const output = n % 2 === 0 ? accumulateResponse(text).items : (JSON.parse(text) as { output: readonly Item[] }).output;
    expect(output.map(({ type }) => type)).toEqual(calls.map((_call, at) => (at % 2 === 0 ? 'function_call' : 'message')));
    expect(text).not.toContain('{\\"command\\":\\"rm -r');
  }
  expect(sandbox.current.decided()).toHaveLength(10_000);
});

it('a stream that breaks off anywhere gives no denied call, and looks broken or has its end', async () => {
  const LS = call('Bash', '{"command":"ls"}');
  const source = Buffer.from(numbered([...begun(), ...itemEvents(LS, 0), ...itemEvents(RM, 1), completed([LS, RM])]));
  for (let at = 1; at < source.length; at += 97) {
    answer = (reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(source.subarray(0, at), () => reply.destroy());
    };
    const { text, isWhole } = await readUntilCut(await ask(true));
    expect([isWhole && !text.includes('response.completed'), text]).toEqual([false, expect.not.stringContaining('rm -r')]);
    const done = /response\.output_item\.done","sequence_number":\d+,"output_index":0/.test(text);
    if (text.includes('{\\"command\\"')) expect([at, done || text.includes('"arguments":"{')]).toEqual([at, true]);
  }
});
