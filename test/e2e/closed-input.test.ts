import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

let sandbox: Sandbox;
let clawai: Running;
beforeEach(() => {
  sandbox = new Sandbox();
  const policy = sandbox.write('policy.toml', '[defaults]\naction = "allow"\n');
  clawai = sandbox.clawai('proxy', '--policy', policy, '--', process.execPath, support('hostile-server.mjs'), 'deaf');
});
afterEach(async () => {
  clawai.kill('SIGTERM');
  await clawai.ended;
  sandbox.remove();
});

const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
const call = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a"}}\n`;
const CLOSED = { code: -32603, message: 'the server has closed its input' };

async function answers(count: number): Promise<unknown[]> {
  return (await clawai.lines(count)).map((line): unknown => JSON.parse(line));
}

describe('hazard 18: a server that has closed its input and lives on', () => {
  it('what is sent to it is answered at once, the very first line too', async () => {
    clawai.send(ping(1));
    await clawai.lines(1);
    clawai.send(`${ping(2)}${call(3)}`);
    await clawai.lines(3);
    clawai.send(ping(4));
    expect(await answers(4)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, error: CLOSED },
      { jsonrpc: '2.0', id: 3, error: CLOSED },
      { jsonrpc: '2.0', id: 4, error: CLOSED },
    ]);
    expect(clawai.hasEnded).toBe(false);
  });

  it('also where a big line is the first', async () => {
    clawai.send(ping(1));
    await clawai.lines(1);
    clawai.send(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"text":"${'x'.repeat(1_000_000)}"}}\n`);
    expect((await answers(2))[1]).toEqual({ jsonrpc: '2.0', id: 2, error: CLOSED });
  });
});
