/** @module-tag long */
// Real clients that reach real servers through clawai serve, or through clawai proxy --url.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { type HttpServer, startEverything, startFixture } from '../support/http-server.ts';
import { REMOTE_CLIENTS, type RemoteSession } from '../support/remote-clients.ts';
import { Running } from '../support/running.ts';
import { Sandbox } from '../support/sandbox.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { waitingCall, waitingCalls } from '../support/waiting-calls.ts';

const INSPECTOR = resolve('node_modules', '@modelcontextprotocol', 'inspector', 'clients', 'launcher', 'build', 'index.js');

const POLICY = `
[defaults]
action = "allow"

[approval]
channels = ["terminal"]
timeout = "6s"

# Two of the servers are the same program.
[flow]
shadow_tool = { action = "alert" }

[[rule]]
id = "no-pictures"
action = "deny"
tool = ["test_image_content", "get-tiny-image"]
description = "Nothing is drawn here"

[[rule]]
id = "no-secrets"
action = "deny"
resource = ["test://static-binary", "demo://resource/static/document/features.md"]

[[rule]]
id = "no-prompt"
action = "deny"
prompt = ["test_prompt_with_image", "simple-prompt"]

[[rule]]
id = "no-passwords"
action = "deny"
method = ["sampling/createMessage", "elicitation/create"]
args."**" = "**password**"

[[rule]]
id = "ask-first"
action = "prompt"
tool = "test_audio_content"
`;

interface Subject {
  readonly allowed: readonly [string, Readonly<Record<string, string>>];
  readonly says: string;
  readonly denied: string;
  readonly resources: { readonly allowed: string; readonly denied: string };
  readonly prompts: { readonly allowed: string; readonly denied: string };
  /** A call of which so many notifications come. */
  readonly progress: { readonly call: readonly [string, Readonly<Record<string, number>>]; readonly told: number };
  readonly sampling: string;
}

const EVERYTHING = {
  allowed: ['echo', { message: 'grüße 🎈' }],
  says: 'Echo: grüße 🎈',
  denied: 'get-tiny-image',
  resources: {
    allowed: 'demo://resource/static/document/architecture.md',
    denied: 'demo://resource/static/document/features.md',
  },
  prompts: { allowed: 'completable-prompt', denied: 'simple-prompt' },
  progress: { call: ['trigger-long-running-operation', { duration: 0.3, steps: 5 }], told: 5 },
  sampling: 'trigger-sampling-request',
} as const satisfies Subject;

const SUBJECTS = {
  fixture: {
    allowed: ['test_simple_text', {}],
    says: 'This is a simple text response for testing.',
    denied: 'test_image_content',
    resources: { allowed: 'test://static-text', denied: 'test://static-binary' },
    prompts: { allowed: 'test_simple_prompt', denied: 'test_prompt_with_image' },
    progress: { call: ['test_tool_with_progress', {}], told: 3 },
    sampling: 'test_sampling',
  },
  everything: EVERYTHING,
  /** The same one over HTTP+SSE. */
  older: EVERYTHING,
} as const satisfies Record<string, Subject>;

const PAIRS: readonly (readonly [keyof typeof REMOTE_CLIENTS, keyof typeof SUBJECTS])[] = [
  ['SDK 1', 'everything'],
  ['SDK 2, legacy era', 'everything'],
  ['SDK 2, whatever there is', 'everything'],
  ['SDK 1 by way of mcp-remote', 'everything'],
  ['SDK 1', 'fixture'],
  ['SDK 2, legacy era', 'fixture'],
  ['SDK 2, modern era', 'fixture'],
  ['SDK 2, whatever there is', 'fixture'],
  ['SDK 1 by way of mcp-remote', 'fixture'],
  ['SDK 1, HTTP+SSE', 'older'],
  ['SDK 2, HTTP+SSE', 'older'],
  ['SDK 1 by way of mcp-remote, HTTP+SSE', 'older'],
  ['SDK 1 by way of mcp-remote, which falls back', 'older'],
  ['SDK 1 by way of proxy --url', 'everything'],
  ['SDK 1 by way of proxy --url', 'older'],
  ['SDK 1 by way of proxy --url', 'fixture'],
  ['SDK 2, modern era, by way of proxy --url', 'fixture'],
];

let sandbox: Sandbox;
let serving: Serving;
const servers: HttpServer[] = [];

beforeAll(async () => {
  sandbox = new Sandbox();
  servers.push(...(await Promise.all([startEverything(sandbox), startFixture(sandbox), startEverything(sandbox, 'sse')])));
  const [everything, fixture, older] = servers;
  serving = await Serving.start(sandbox, {
    servers: { everything: everything?.url ?? '', fixture: fixture?.url ?? '', older: older?.url ?? '' },
    policy: POLICY,
  });
});
afterAll(async () => {
  await serving.stop();
  await Promise.all(servers.map((server) => server.stop()));
  sandbox.remove();
});

async function connect(client: keyof typeof REMOTE_CLIENTS, name: keyof typeof SUBJECTS): Promise<RemoteSession> {
  const flags = ['--server', `own-${name}`, '--policy', sandbox.path('policy.toml')];
  const proxy = sandbox.command('proxy', ...flags, '--url', servers[['everything', 'fixture', 'older'].indexOf(name)]?.url ?? '');
  return REMOTE_CLIENTS[client]({ url: serving.url(name), env: sandbox.env, proxy });
}

/** One session for all tests of a pair: many clients are processes, whose start takes longer than what they are asked. */
function useSession(client: keyof typeof REMOTE_CLIENTS, name: keyof typeof SUBJECTS): { readonly current: RemoteSession } {
  const holder = { current: undefined as unknown as RemoteSession };
  beforeAll(async () => {
    holder.current = await connect(client, name);
  });
  afterAll(() => holder.current.close());
  return holder;
}

/** What a request came to: its result, or the code and the words of its error. */
async function outcome(request: Promise<unknown>): Promise<unknown> {
  try {
    return await request;
  } catch (error) {
    const { code, message } = error as { code: unknown; message: string };
    return { code, message };
  }
}

function textOf(result: Readonly<Record<string, unknown>>): string {
  return (result['content'] as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');
}

describe.each(PAIRS)('%s with the %s server', (client, name) => {
  const subject: Subject = SUBJECTS[name];
  const session = useSession(client, name);

  it('hazard 17: gets what is allowed, and denials in their place', async () => {
    const { tools } = await session.current.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining([subject.allowed[0], subject.denied]));
    expect(textOf(await session.current.callTool(...subject.allowed))).toBe(subject.says);
    const denied = await session.current.callTool(subject.denied, {});
    expect(denied['isError']).toBe(true);
    expect(textOf(denied)).toContain(
      `clawai denied the tool call "${subject.denied}": Nothing is drawn here (rule "no-pictures").`,
    );

    expect(await outcome(session.current.readResource(subject.resources.allowed))).toMatchObject({ contents: [{}] });
    // A code of our own, and (hazard 50) a status that starts no login.
    expect(await outcome(session.current.readResource(subject.resources.denied))).toEqual({
      code: 40300,
      message: expect.stringContaining(`clawai denied reading the resource "${subject.resources.denied}" (rule "no-secrets")`),
    });
    expect(await outcome(session.current.getPrompt(subject.prompts.denied, {}))).toEqual({
      code: 40300,
      message: expect.stringContaining(`clawai denied the prompt "${subject.prompts.denied}" (rule "no-prompt")`),
    });
  });

  it('hazard 49: hears of progress while the call goes on', { retry: 2 }, async () => {
    const heard: { readonly progress: number; readonly at: number }[] = [];
    const result = await session.current.callTool(...subject.progress.call, {
      onprogress: ({ progress }) => heard.push({ progress, at: performance.now() }),
    });
    const ended = performance.now();
    expect(result['isError']).not.toBe(true);
    // The last one comes just before the answer. Where one read brings both, SDK 1 (mcp-remote is made of it too) handles the answer
    // at once and the notification a microtask later, for nobody.
    expect(heard.length).toBeGreaterThanOrEqual(subject.progress.told - 1);
    expect(heard.map(({ progress }) => progress)).toEqual(heard.map(({ progress }) => progress).toSorted((a, b) => a - b));
    // What a proxy holds back comes all at once, with the answer.
    expect(ended - (heard[0]?.at ?? ended)).toBeGreaterThan(20);
  });

  it('hazard 14: is asked by the server where the policy allows it, and only then', async () => {
    expect(textOf(await session.current.callTool(subject.sampling, { prompt: 'the capital?' }))).toContain('Paris, of course');
    expect(session.current.asked).toEqual(['sampling/createMessage']);
    const refused = await outcome(session.current.callTool(subject.sampling, { prompt: 'what is the password?' }));
    expect(JSON.stringify(refused)).not.toContain('Paris');
    expect(session.current.asked).toEqual(['sampling/createMessage']);
    // The connection goes on.
    expect(textOf(await session.current.callTool(...subject.allowed))).toBe(subject.says);
  });
});

const FIXTURE_PAIRS = PAIRS.filter(([, name]) => name === 'fixture');

describe.each(FIXTURE_PAIRS)('%s with the %s server', (client, name) => {
  const session = useSession(client, name);

  it('is asked by elicitation where the policy allows it, and only then', async () => {
    expect(textOf(await session.current.callTool('test_elicitation', { message: 'Who are you?' }))).toContain('ann@example.com');
    expect(session.current.asked).toEqual(['elicitation/create']);
    const refused = await outcome(session.current.callTool('test_elicitation', { message: 'Your password?' }));
    expect(JSON.stringify(refused)).not.toContain('ann@example.com');
    expect(session.current.asked).toEqual(['elicitation/create']);
  });

  // mcp-remote does not pass cancellations on.
  it.skipIf(client === 'SDK 1 by way of mcp-remote')('has a call cancelled at the server', async () => {
    const before = Number(textOf(await session.current.callTool('test_cancelled', {})));
    const leaving = new AbortController();
    const slow = outcome(session.current.callTool('test_slow', {}, { signal: leaving.signal }));
    await pause(300);
    leaving.abort(new Error('not needed any more'));
    await slow;
    let cancelled = before;
    await until('the server has heard of it', async () => {
      cancelled = Number(textOf(await session.current.callTool('test_cancelled', {})));
      return cancelled !== before;
    });
    expect(cancelled).toBe(before + 1);
  });

  it.runIf(HAS_TERMINAL)('has a call wait for a person, who allows it', async () => {
    const waiting = session.current.callTool('test_audio_content', {});
    const person = new AtTerminal(sandbox, ['approve', (await waitingCall(sandbox)).id]);
    expect((await person.ended).code).toBe(0);
    expect(await waiting).toMatchObject({ content: [{ type: 'audio' }] });
  });
});

// Side by side, since each of them waits as long as a person may take.
it.concurrent.each(FIXTURE_PAIRS)(
  'hazard 2: %s with the %s server has a call wait for a person, and be denied where nobody answers',
  async (client, name) => {
    const session = await connect(client, name);
    const waiting = session.callTool('test_audio_content', { by: client });
    await waitingCalls(sandbox, { isMeant: ({ args }) => args === JSON.stringify({ by: client }) });
    // Others pass.
    expect(textOf(await session.callTool('test_simple_text', {}))).toBe(SUBJECTS.fixture.says);
    const denied = await waiting;
    expect(denied['isError']).toBe(true);
    expect(textOf(denied)).toContain('clawai denied the tool call "test_audio_content"');
    await session.close();
  },
);

// Exit codes of the Inspector: 0 is a result, 5 a result with isError, 1 a JSON-RPC error.
describe.each(['legacy', 'modern'])('the Inspector, %s era', (era) => {
  it.each([
    { what: 'a list', args: ['tools/list'], code: 0, says: 'test_simple_text' },
    { what: 'an allowed call', args: ['tools/call', '--tool-name', 'test_simple_text'], code: 0, says: 'simple text' },
    { what: 'a denied call', args: ['tools/call', '--tool-name', 'test_image_content'], code: 5, says: 'clawai denied the tool' },
    {
      what: 'a denied resource',
      args: ['resources/read', '--uri', 'test://static-binary'],
      code: 1,
      says: 'clawai denied reading',
    },
  ])('$what ends it with $code', async ({ args, code, says }) => {
    const options = ['--cli', '--format', 'json', '--protocol-era', era, '--transport', 'http', '--method', ...args];
    const inspector = new Running([process.execPath, INSPECTOR, ...options, '--server-url', serving.url('fixture')], {
      env: sandbox.env,
      cwd: sandbox.folder,
    });
    const ended = await inspector.close();
    expect({ code: ended.code, text: ended.stdout + ended.stderr }).toEqual({ code, text: expect.stringContaining(says) });
  });
});
