/** @module-tag long */
// Agents on OpenAI's Responses API, started by clawai run, which leads them by the address in the environment alone. The model refuses what
// OpenAI would refuse.
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { call, type Item, message, response, stream } from '../support/response-events.ts';
import { Running } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const POLICY =
  '[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\nserver = "native"\ntool = "Bash"\nargs.command = "**rm -r**"\n';
const LS = call('Bash', '{"command":"ls"}');
const RM = call('Bash', '{"command":"rm -r /"}');
const NOTE = /^\[clawai blk_[\w-]{16}\] clawai denied the tool call "Bash"/;

interface Body {
  readonly input: readonly Item[];
  readonly stream?: boolean;
}

/** What the model says, one answer after the other. */
let answers: readonly (readonly Item[])[];
let bodies: Body[];
let model: Server;
beforeEach(async () => {
  bodies = [];
  model = createServer((request, reply) => {
    textOf(request).then(
      (text) => {
        const body = JSON.parse(text) as Body;
        const fault = findFault(body.input);
        if (fault !== undefined) {
          reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: fault } }));
          return;
        }
        const items = answers[bodies.length] ?? [message('All is said.', `msg_${bodies.length}`)];
        const more = { id: `resp_${bodies.push(body)}` };
        const type = body.stream === true ? 'text/event-stream' : 'application/json';
        reply.writeHead(200, { 'content-type': type });
        reply.end(body.stream === true ? stream(items, more) : JSON.stringify(response(items, more)));
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  model.closeAllConnections();
  model.close();
});

/** What OpenAI has against a conversation: each call has one result, and each result a call before it; references are to what it has said. */
function findFault(input: readonly Item[]): string | undefined {
  const said = new Map(answers.flat().map((item) => [item['id'], item]));
  const open = new Set<unknown>();
  for (const each of input) {
    const item = each['type'] === 'item_reference' ? said.get(each['id']) : each;
    if (item === undefined) return `Item with id '${String(each['id'])}' not found.`;
    const { type, call_id: id } = item;
    if (type === 'function_call') open.add(id);
    if (type === 'function_call_output' && !open.delete(id)) return `No tool call found for function call output ${String(id)}`;
  }
  return open.size > 0 ? `No tool output found for function call ${[...open].join()}` : undefined;
}

async function run(kit: string, isStream: boolean): Promise<{ ran: readonly string[]; said: readonly string[] }> {
  const { current } = sandbox;
  mkdirSync(current.path('config/clawai'), { recursive: true });
  current.write('config/clawai/policy.toml', POLICY);
  const { port } = model.address() as AddressInfo;
  const words = [process.execPath, support('openai-agent.mjs'), kit, ...(isStream ? ['stream'] : [])];
  const ended = await new Running(current.command('run', '--', ...words), {
    env: { ...current.env, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, AI_SDK_LOG_WARNINGS: 'false' },
    cwd: current.folder,
  }).close();
  expect(ended).toMatchObject({ code: 0 });
  return JSON.parse(ended.stdout.split('\n').at(-2) ?? '') as { ran: string[]; said: string[] };
}

describe.each(['agents', 'ai-sdk'])('an agent of %s', (kit) => {
  it.each([true, false])('runs the allowed call once and no denied one, and goes on (stream: %s)', async (isStream) => {
    answers = [[message('So.', 'msg_so'), LS, RM], [message('Done.', 'msg_done')], [message('Yes.', 'msg_yes')]];
    expect(await run(kit, isStream)).toEqual({ ran: ['ls'], said: ['Done.', 'Yes.'] });
    for (const { input } of bodies.slice(1)) {
      const [told] = input.filter(({ type, call_id: id }) => type === 'function_call_output' && id === RM['call_id']);
      expect(told).toMatchObject({ output: expect.stringMatching(/^clawai denied the tool call "Bash"/) });
      expect(JSON.stringify(input)).not.toContain('msg_clawai_');
    }
    expect(sandbox.current.decided()).toMatchObject([
      { dialect: 'openai', action: 'allow', tool_name: 'Bash' },
      { dialect: 'openai', action: 'block', tool_name: 'Bash' },
    ]);
  });

  it.each([true, false])('says the note where all is denied, and goes on in the next turn (stream: %s)', async (isStream) => {
    answers = [[RM], [LS], [message('Done.', 'msg_done')]];
    expect(await run(kit, isStream)).toEqual({ ran: ['ls'], said: [expect.stringMatching(NOTE), 'Done.'] });
    expect(bodies[1]?.input.map(({ type = 'message', role }) => role ?? type)).toEqual([
      'user',
      'function_call',
      'function_call_output',
      'user',
    ]);
  });
});
