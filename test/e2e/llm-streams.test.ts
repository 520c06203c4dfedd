/** @module-tag long */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BlockPlan, callBlock, stream, textBlock, thinkingBlock } from '../support/anthropic-events.ts';
import { ALLOW, runLlm, type RunningLlm } from '../support/llm-route.ts';

// Whatever a model streams and however it is cut into chunks: the client's own library makes the same message of what comes through us,
// but for the calls that the policy denies.

const TOOLS = ['read', 'write', 'Bash', 'mcp__files__read'] as const;
/** What a policy may deny: tools by their names, and one of them for some arguments alone. */
interface Denied {
  readonly names: readonly string[];
  readonly isByPath: boolean;
}
interface Scenario {
  readonly source: Buffer;
  /** Lengths of chunks, over and over. */
  readonly chunks: readonly number[];
}

let scenario: Scenario = { source: Buffer.alloc(0), chunks: [] };

async function send(response: ServerResponse): Promise<void> {
  const { source, chunks } = scenario;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let at = 0, index = 0; at < source.length; index++) {
    const length = chunks[index % chunks.length] ?? source.length;
    response.write(source.subarray(at, at + length));
    at += length;
    // Each its own chunk, now and then.
    if (index % 3 === 0) await setImmediate();
  }
  response.end();
}

function policyOf({ names, isByPath }: Denied): string {
  const rule = (tool: string, args = ''): string => `[[rule]]\naction = "deny"\nserver = "**"\ntool = "${tool}"\n${args}\n`;
  const byName = names.map((name) =>
    name === 'mcp__files__read' ? rule('read').replace('"**"', '"files"') : rule(name).replace('"**"', '"native"'),
  );
  const byPath = ['native', 'files'].map((server) =>
    rule('**', 'args.path = "/etc/**"').replace('server = "**"', `server = "${server}"`),
  );
  return ALLOW + byName.join('') + (isByPath ? byPath.join('') : '');
}

const direct = createServer((_request, response) => void send(response));
let directURL = '';
const routes = new Map<string, RunningLlm>();
beforeAll(async () => {
  await new Promise<void>((resolve) => direct.listen(0, '127.0.0.1', resolve));
  directURL = `http://127.0.0.1:${(direct.address() as AddressInfo).port}`;
});
afterAll(async () => {
  direct.closeAllConnections();
  direct.close();
  for (const route of routes.values()) await route.close();
});

/** A route under a policy; the same one each time. */
async function routeFor(denied: Denied): Promise<RunningLlm> {
  const policy = policyOf(denied);
  const known = routes.get(policy) ?? (await runLlm({ policy, answer: (_asked, response) => void send(response) }));
  routes.set(policy, known);
  return known;
}

/** What the library makes of an answer. */
async function messageFrom(baseURL: string): Promise<Anthropic.Message> {
  const client = new Anthropic({ baseURL, apiKey: 'none', maxRetries: 0 });
  return client.messages.stream({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] }).finalMessage();
}

const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => text.trim() !== '');
const args = fc.record(
  { path: fc.constantFrom('/etc/shadow', '/home/u/notes', '/tmp/é🏔'), n: fc.integer(), list: fc.array(word, { maxLength: 3 }) },
  { requiredKeys: [] },
);
const block: fc.Arbitrary<(id: number) => readonly BlockPlan[]> = fc.oneof(
  word.map((text) => () => [textBlock(text)]),
  word.map((text) => () => [thinkingBlock(text)]),
  fc
    .record({ name: fc.constantFrom(...TOOLS), args, piece: fc.integer({ min: 1, max: 20 }) })
    .map((call) => (id: number) => [callBlock(`toolu_${id}`, call.name, JSON.stringify(call.args), call.piece)]),
  word.map((query) => (id: number) => [
    {
      start: { type: 'server_tool_use', id: `srv_${id}`, name: 'web_search', input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify({ query }) }],
    },
    { start: { type: 'web_search_tool_result', tool_use_id: `srv_${id}`, content: [] }, deltas: [] },
  ]),
);

function isDenied({ name, input }: { readonly name: string; readonly input: unknown }, { names, isByPath }: Denied): boolean {
  if (names.includes(name)) return true;
  return isByPath && ((input as { path?: string }).path ?? '').startsWith('/etc/');
}

/** What the client is to get for a message: notes in the places of what is denied. */
function expected(
  message: Anthropic.Message,
  denied: Denied,
): { content: unknown[]; stop_reason: string | null; calls: string[] } {
  const gone = new Set<string>();
  const own = { denied: 0, left: 0 };
  const content = message.content.map((made): unknown => {
    if ((made.type === 'tool_use' || made.type === 'server_tool_use') && isDenied(made, denied)) {
      gone.add(made.id);
      if (made.type === 'tool_use') own.denied++;
      const mark = made.type === 'tool_use' ? ' blk_[\\w-]{16}' : '';
      return { type: 'text', text: expect.stringMatching(new RegExp(`^\\[clawai${mark}\\] clawai denied .`)) };
    }
    if (made.type === 'tool_use') own.left++;
    return 'tool_use_id' in made && gone.has(made.tool_use_id)
      ? { type: 'text', text: expect.stringContaining('withheld') }
      : made;
  });
  const isOver = message.stop_reason === 'tool_use' && own.denied > 0 && own.left === 0;
  return { content, stop_reason: isOver ? 'end_turn' : message.stop_reason, calls: [...gone] };
}

it('is the same message but for the denied calls', async () => {
  let denials = 0;
  const property = fc.asyncProperty(
    fc.array(block, { minLength: 1, maxLength: 7 }),
    fc.record({ names: fc.subarray([...TOOLS, 'web_search'], { maxLength: 2 }), isByPath: fc.boolean() }),
    fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }),
    fc.constantFrom('tool_use', 'end_turn', 'max_tokens', 'pause_turn'),
    fc.constantFrom('\n', '\r\n', '\r'),
    async (plans, denied, chunks, reason, lineEnd) => {
      const text = stream(
        plans.flatMap((plan, index) => plan(index)),
        reason,
      ).replaceAll('\n', lineEnd);
      scenario = { source: Buffer.from(text), chunks };
      const original = await messageFrom(directURL);
      const route = await routeFor(denied);
      const before = route.records.length;
      const made = await messageFrom(route.url);
      const { content, stop_reason, calls } = expected(original, denied);
      denials += calls.length;
      expect(made).toEqual({ ...original, content, stop_reason });
      const decided = route.records.slice(before);
      const all = original.content.filter(({ type }) => type.endsWith('tool_use')) as Anthropic.ToolUseBlock[];
      expect(decided.map(({ intercepted }) => intercepted?.id)).toEqual(all.map(({ id }) => id));
      const ids = decided.filter(({ decision }) => decision.action === 'deny').map(({ intercepted }) => intercepted?.id);
      expect(ids).toEqual(calls);
    },
  );
  await fc.assert(property, { numRuns: 120 });
  expect(denials).toBeGreaterThan(20);
}, 120_000);
