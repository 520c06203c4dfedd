/** @module-tag long */
import { statSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENTS, type Session, type Target } from '../support/clients.ts';
import { Sandbox, serverPackage, support } from '../support/sandbox.ts';

const POLICY = `
[defaults]
action = "allow"

[[rule]]
id = "no-writing"
action = "deny"
tool = ["write_file", "get-env", "create_entities", "forbidden"]
description = "Nothing is changed here"

[[rule]]
id = "no-secrets"
action = "deny"
resource = ["doc://secret", "demo://resource/static/document/features.md", "memory://knowledge-graph"]

[[rule]]
id = "no-prompt"
action = "deny"
prompt = ["secret", "simple-prompt"]
`;

interface Subject {
  readonly command: (folder: string) => [string, ...string[]];
  readonly allowed: (folder: string) => [string, Record<string, string>];
  readonly denied: (folder: string) => [string, Record<string, string>];
  readonly resources?: { readonly allowed?: string; readonly denied: string };
  readonly prompts?: { readonly allowed: string; readonly denied: string };
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  filesystem: {
    command: (folder) => [process.execPath, serverPackage('filesystem'), join(folder, 'project')],
    allowed: (folder) => ['read_text_file', { path: join(folder, 'project', 'notes.txt') }],
    denied: (folder) => ['write_file', { path: join(folder, 'project', 'new.txt'), content: 'x' }],
  },
  everything: {
    command: () => [process.execPath, serverPackage('everything'), 'stdio'],
    allowed: () => ['echo', { message: 'grüße 🎈' }],
    denied: () => ['get-env', {}],
    resources: {
      allowed: 'demo://resource/static/document/architecture.md',
      denied: 'demo://resource/static/document/features.md',
    },
    prompts: { allowed: 'args-prompt', denied: 'simple-prompt' },
  },
  memory: {
    command: (folder) => ['env', `MEMORY_FILE_PATH=${join(folder, 'memory.jsonl')}`, process.execPath, serverPackage('memory')],
    allowed: () => ['search_nodes', { query: 'none' }],
    denied: () => ['create_entities', {}],
    resources: { denied: 'memory://knowledge-graph' },
  },
  'dual-era': {
    command: () => [process.execPath, support('dual-era-server.mjs')],
    allowed: () => ['shout', { text: 'quiet' }],
    denied: () => ['forbidden', { text: 'quiet' }],
    resources: { allowed: 'doc://open', denied: 'doc://secret' },
    prompts: { allowed: 'open', denied: 'secret' },
  },
};

const PAIRS: readonly [keyof typeof CLIENTS, string][] = [
  ['SDK 1', 'filesystem'],
  ['SDK 1', 'everything'],
  ['SDK 1', 'memory'],
  ['SDK 1', 'dual-era'],
  ['SDK 2, legacy era', 'filesystem'],
  ['SDK 2, legacy era', 'everything'],
  ['SDK 2, legacy era', 'dual-era'],
  ['SDK 2, modern era', 'dual-era'],
];

/** What a request came to: its result, or the code and the words of its error. */
async function outcome(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    const { code, message } = error as { code: unknown; message: string };
    return { code, message };
  }
}

/** Everything that the policy allows, through one session. */
async function allowedAnswers(session: Session, subject: Subject, folder: string): Promise<unknown[]> {
  const { resources, prompts } = subject;
  return [
    await session.listTools(),
    await session.callTool(...subject.allowed(folder)),
    resources?.allowed === undefined ? undefined : await session.readResource(resources.allowed),
    prompts === undefined ? undefined : await outcome(session.getPrompt(prompts.allowed, { text: 'hi', city: 'Oslo' })),
  ];
}

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(sandbox.path('project'));
  writeFileSync(sandbox.path('project/notes.txt'), 'Ship on Friday.\n');
});
afterEach(() => sandbox.remove());

describe.each(PAIRS)('%s with the %s server', (client, name) => {
  const subject = SUBJECTS[name] as Subject;

  function through(): Target {
    const policy = sandbox.write('policy.toml', POLICY);
    const server = [process.execPath, support('recorded.mjs'), sandbox.path('seen'), ...subject.command(sandbox.folder)];
    return { command: sandbox.command('proxy', '--server', name, '--policy', policy, '--', ...server), env: sandbox.env };
  }

  it('sees through clawai what it sees without, and the denials in their place', async () => {
    const direct = await CLIENTS[client]({ command: subject.command(sandbox.folder), env: sandbox.env });
    const expected = await allowedAnswers(direct, subject, sandbox.folder);
    await direct.close();

    const session = await CLIENTS[client](through());
    expect(await allowedAnswers(session, subject, sandbox.folder)).toEqual(expected);

    const [tool, args] = subject.denied(sandbox.folder);
    const denied = (await session.callTool(tool, args)) as Record<string, unknown>;
    expect(denied['isError']).toBe(true);
    expect(denied['content']).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(`^clawai denied the tool call "${tool}": Nothing is changed here \\(rule "no-writing"\\)\\.`),
      },
    ]);
    if (subject.resources !== undefined) {
      const { denied: uri } = subject.resources;
      expect(await outcome(session.readResource(uri))).toEqual({
        code: 40300,
        message: expect.stringContaining(`clawai denied reading the resource "${uri}" (rule "no-secrets")`),
      });
    }
    if (subject.prompts !== undefined) {
      const { denied: prompt } = subject.prompts;
      expect(await outcome(session.getPrompt(prompt, { text: 'hi' }))).toEqual({
        code: 40300,
        message: expect.stringContaining(`clawai denied the prompt "${prompt}" (rule "no-prompt")`),
      });
    }
    await session.close();

    const seen = sandbox.read('seen').toString();
    expect(seen).toContain(`"${subject.allowed(sandbox.folder)[0]}"`);
    for (const hidden of [tool, subject.resources?.denied, subject.prompts?.denied]) {
      if (hidden !== undefined) expect(seen).not.toContain(JSON.stringify(hidden));
    }
  });

  it('leaves one audit line per decided call, for nobody else to read', async () => {
    const session = await CLIENTS[client](through());
    await session.listTools();
    await session.callTool(...subject.allowed(sandbox.folder));
    await session.callTool(...subject.denied(sandbox.folder));
    await session.close();

    const decided = sandbox.decided();
    expect(
      decided.map((event) => [event['tool_name'], event['action'], event['decision'], event['reason'], event['rule']]),
    ).toEqual([
      [subject.allowed('')[0], 'allow', 'allow', 'default', undefined],
      [subject.denied('')[0], 'block', 'deny', 'rule', 'no-writing'],
    ]);
    expect(new Set(decided.map((event) => event['session_id'])).size).toBe(1);
    const ids = decided.map((event) => String(event['id']).split('.'));
    expect(new Set(ids.map(([writer]) => writer)).size).toBe(1);
    expect(ids.map(([, n]) => n)).toEqual(['1', '2']);
    for (const event of decided) {
      expect(event).toMatchObject({
        type: 'mcp_tool_called',
        server_id: name,
        method: 'tools/call',
        jsonrpc_id: expect.anything(),
        policy_hash: expect.stringMatching(/^(sha256:)?[0-9a-f]{64}$/),
        latency_us: expect.any(Number),
      });
      // Where the call comes late enough, its tool has been looked at by then.
      expect([
        ['policy', 'flow'],
        ['policy', 'flow', 'detection'],
      ]).toContainEqual(event['inspectors']);
      expect(Date.now() - Date.parse(String(event['timestamp']))).toBeLessThan(60_000);
    }
    const folder = join(sandbox.state, 'clawai');
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(sandbox.storeFile).mode & 0o777).toString(8)).toBe('600');
  });
});
