/** @module-tag long */
// Clients and servers that have no protocol revision in common, with clawai between them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Sandbox, support } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const POLICY = `
[defaults]
action = "allow"

[[rule]]
id = "no-writing"
action = "deny"
tool = "forbidden"
description = "Nothing is changed here"

[[rule]]
id = "no-thinking"
action = "deny"
method = "sampling/createMessage"
`;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

/** What was sent to the server. */
const seen = (): string => sandbox.read('seen').toString();

describe('a client of 2025 with a server that speaks only 2026-07-28', () => {
  async function connect(): Promise<Client> {
    const policy = sandbox.write('policy.toml', POLICY);
    const server = [process.execPath, support('recorded.mjs'), sandbox.path('seen'), process.execPath];
    const [command, ...args] = sandbox.command('proxy', '--policy', policy, '--', ...server, support('modern-only-server.mjs'));
    const client = new Client({ name: 'old', version: '1.0.0' }, { capabilities: { elicitation: {}, sampling: {} } });
    await client.connect(new StdioClientTransport({ command, args, env: { ...sandbox.env }, stderr: 'ignore' }));
    return client;
  }

  it('has a session, and everything that the server declares', async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'modern-only', version: '1.0.0' });
    expect(client.getInstructions()).toBe('For tests.');
    await client.ping();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shout');
    expect((await client.readResource({ uri: 'doc://open' })).contents).toMatchObject([{ text: 'this is open' }]);
    expect((await client.getPrompt({ name: 'open', arguments: { text: 'hi' } })).messages).toHaveLength(1);
    await expect(client.readResource({ uri: 'doc://none' })).rejects.toThrow('doc://none');
    await client.close();
  });

  it('has its calls decided and recorded once', async () => {
    const client = await connect();
    expect((await client.callTool({ name: 'shout', arguments: { text: 'quiet' } })).content).toEqual([
      { type: 'text', text: 'QUIET' },
    ]);
    const denied = await client.callTool({ name: 'forbidden', arguments: { text: 'quiet' } });
    expect(denied).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Nothing is changed here') }] });
    await client.close();
    expect(seen()).not.toContain('"forbidden"');
    expect(sandbox.decided().map((event) => [event['tool_name'], event['decision']])).toEqual([
      ['shout', 'allow'],
      ['forbidden', 'deny'],
    ]);
  });

  it('is asked for what a call needs', async () => {
    const client = await connect();
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: 'Ann' } };
    });
    const { content } = await client.callTool({ name: 'greet', arguments: { word: 'Hello' } });
    expect(content).toEqual([{ type: 'text', text: 'Hello, Ann (state-1)' }]);
    expect(asked).toEqual(['Who are you?']);
    await client.close();
    expect(sandbox.decided().filter((event) => event['tool_name'] === 'greet')).toHaveLength(1);
  });

  it('is not asked for what the policy denies', async () => {
    const client = await connect();
    const asked: string[] = [];
    client.setRequestHandler(CreateMessageRequestSchema, ({ method }) => {
      asked.push(method);
      return { model: 'none', role: 'assistant', content: { type: 'text', text: 'Paris' } };
    });
    await expect(client.callTool({ name: 'think', arguments: {} })).rejects.toThrow('sampling/createMessage');
    expect(asked).toEqual([]);
    await client.close();
  });

  it('gets progress and changes of lists', async () => {
    const client = await connect();
    const progress: number[] = [];
    await client.callTool({ name: 'wait', arguments: {} }, undefined, { onprogress: (one) => progress.push(one.progress) });
    expect(progress).toEqual([1, 2]);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
    await client.callTool({ name: 'grow', arguments: {} });
    await until('a change of the list', () => changes > 0);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('grown');
    await client.close();
  });

  it('can cancel a call', async () => {
    const client = await connect();
    const controller = new AbortController();
    const call = client.callTool({ name: 'hang', arguments: {} }, undefined, { signal: controller.signal });
    await until('the call', () => seen().includes('"hang"'));
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await until('the cancellation', () => seen().includes('notifications/cancelled'));
    await client.close();
  });
});
