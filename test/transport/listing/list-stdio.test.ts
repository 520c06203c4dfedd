import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { listStdio } from '../../../src/transport/listing/list-stdio.ts';
import type { Listed, ListingEars } from '../../../src/transport/listing/server-lister.ts';
import { startServer } from '../../../src/transport/stdio/child-process.ts';
import { isAlive } from '../../support/is-alive.ts';
import { support } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

interface Heard {
  readonly listed: Listed;
  readonly pages: readonly string[];
  readonly missing: readonly string[];
}

/** Lists a server that is a script of Node's: `answer(message)` gives what it answers. */
async function list(script: string): Promise<Heard> {
  const program = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    const reply = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    const fail = (code, text) => console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code, message: text } }));
    ${script}
  });`;
  const pages: string[] = [];
  const missing: string[] = [];
  const ears: ListingEars = {
    onPage: (kind, result: JsonObject) => pages.push(`${kind} ${JSON.stringify(result)}`),
    onMissing: (kind, why) => missing.push(`${kind}: ${why}`),
  };
  const listed = await listStdio(startServer(process.execPath, ['-e', program], 'pipe'), '1', ears);
  return { listed, pages, missing };
}

const GREET = `if (message.method === 'initialize') return reply({ protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} } });`;

describe('listStdio', () => {
  it('asks for all pages of all lists, and answers what it is asked meanwhile', async () => {
    const heard = await list(`
      if (message.id === 'q') return;
      console.log('not a message');
      console.log(JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'ping' }));
      ${GREET}
      if (message.method === 'tools/list') return reply(message.params.cursor === 'b' ? { tools: [2] } : { tools: [1], nextCursor: 'b' });
      if (message.method === 'resources/list') return reply({ resources: [] });
      fail(-32601, 'no such method');
    `);
    expect(heard).toEqual({
      listed: { kind: 'listed' },
      pages: ['tool {"tools":[1],"nextCursor":"b"}', 'tool {"tools":[2]}', 'resource {"resources":[]}'],
      // That there are no templates is nothing that is missing.
      missing: [],
    });
  });

  it.each([
    ['time', { time: 300 }, '', 'it was not done within 0 s'],
    ['bytes', { bytes: 1024 * 1024 }, 'process.stdout.write("x".repeat(4096) + "\\n")', 'it sends more than clawai reads'],
    ['lines', { lines: 1000 }, 'process.stdout.write("{}\\n".repeat(100))', 'it sends more than clawai reads'],
  ])('a server that goes beyond a bound of %s is given up, and ends', async (_, bound, act, why) => {
    const program = `process.stdin.resume(); setInterval(() => { ${act} }, 0)`;
    const server = startServer(process.execPath, ['-e', program], 'pipe');
    const bounds = { time: Infinity, bytes: Infinity, lines: Infinity, ...bound };
    expect(await listStdio(server, '1', { bounds })).toEqual({ kind: 'failed', why });
    expect(server.isThere()).toBe(false);
  });

  it('says which list could not be had, and goes on with the next', async () => {
    const heard = await list(`${GREET} if (message.method === 'tools/list') return fail(-32000, 'broken'); reply({});`);
    expect(heard.missing).toEqual(['tool: broken']);
    expect(heard.pages).toEqual(['resource {}', 'resource_template {}']);
  });

  it('talks to a server that knows no greeting', async () => {
    const heard = await list(`
      if (message.method === 'initialize') return fail(-32601, 'what?');
      const { _meta: meta } = message.params;
      if (meta?.['io.modelcontextprotocol/protocolVersion'] !== '2026-07-28') return fail(-32600, 'no version');
      reply(message.method === 'server/discover' ? { capabilities: { tools: {} } } : { tools: [] });
    `);
    expect(heard).toMatchObject({ listed: { kind: 'listed' }, pages: ['tool {"tools":[]}'] });
  });

  it.each([
    ['ends', 'process.exit(3)', 'it ended with exit code 3'],
    ['refuses the greeting', `fail(-32000, 'not today')`, 'not today'],
    [
      'answers nothing that is a result',
      `console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id }))`,
      'its answer has no result',
    ],
  ])('a server that %s could not be listed', async (_case, script, why) => {
    expect((await list(script)).listed).toEqual({ kind: 'failed', why });
  });

  it('one that can not be started is an error', async () => {
    await expect(listStdio(startServer('no-such-server', [], 'pipe'), '1', {})).rejects.toThrow('there is no such command');
  });

  it('ends a server that will not end, and what that has started', async () => {
    const server = startServer(process.execPath, [support('stubborn-server.mjs')], 'pipe');
    const pids = await new Promise<readonly number[]>((settle) => {
      let text = '';
      server.stdout.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('\n')) settle((JSON.parse(text) as { params: { pids: number[] } }).params.pids);
      });
    });
    const listing = listStdio(server, '1', {});
    process.emit('SIGTERM', 'SIGTERM');
    expect(await listing).toEqual({ kind: 'failed', why: 'it was interrupted by SIGTERM' });
    // A signal that nothing can ignore is sent by then; how soon the kernel gets to it is another matter.
    await until('all of them are gone', () => !pids.some(isAlive));
    expect(pids).not.toEqual([]);
  });
});
