import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { attempt, readFile, useSandbox } from '../support/attempt.ts';
import { type MockCall, ModelMock } from '../support/model-mock.ts';
import { Running, type Ended } from '../support/running.ts';
import { support } from '../support/sandbox.ts';

const sandbox = useSandbox();

const REMOVES: MockCall = { id: 'toolu_rm', name: 'Bash', input: { command: 'rm -rf /tmp/x' } };
const LISTS: MockCall = { id: 'toolu_ls', name: 'Bash', input: { command: 'ls' } };

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "30s"
channels = ["terminal"]
[[rule]]
id = "no-rm"
action = "deny"
server = "native"
tool = "Bash"
args.command = "**rm **"
`;

let mock: ModelMock;
let base: string;
beforeEach(async () => {
  mock = await ModelMock.start([REMOVES, LISTS]);
  base = mock.origin;
  decree(POLICY);
});
afterEach(() => mock.stop());

function decree(policy: string): void {
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  writeFileSync(sandbox.current.path('config/clawai/policy.toml'), policy);
}

function configure(config: string): void {
  writeFileSync(sandbox.current.path('config/clawai/config.toml'), config);
}

/** `clawai run` with these words; the mock is what the environment says Anthropic's API is. */
function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const { current } = sandbox;
  return new Running(current.command('run', '--session', 'nightly', ...words), {
    env: { ...current.env, ANTHROPIC_BASE_URL: `${base}/gateway/v9/`, ...env },
    cwd: current.folder,
  });
}

function agent(by: 'sdk' | 'fetch' = 'sdk', times = 1): readonly string[] {
  return ['--', process.execPath, support('llm-agent.mjs'), by, String(times)];
}

interface Answer {
  readonly content: readonly { readonly type: string; readonly id?: string; readonly text?: string }[];
  readonly reason: string;
  readonly error?: string;
  readonly status?: number;
  readonly message?: string;
}

function answersOf(stdout: string | Buffer): Answer[] {
  const lines = stdout.toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Answer);
}

const DENIED = {
  type: 'text',
  text: expect.stringMatching(/^\[clawai blk_[\w-]{16}\] clawai denied the tool call "Bash" \(rule "no-rm", argument "[\w.]+"\)/),
};

/** Everything that clawai has written for this user. */
function written(folder = sandbox.current.state): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

async function json(...words: readonly string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await sandbox.current.clawai(...words, '--json').close();
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('hazard 1: the model of an agent that is started by clawai run', () => {
  it('reaches the agent only with what the policy allows, and all is on record', async () => {
    configure('[audit]\njsonl = true\n');
    const { code, stdout, stderr } = await start(agent()).close();
    expect(answersOf(stdout)).toMatchObject([
      {
        content: [{ type: 'text', text: 'Well.' }, DENIED, { type: 'tool_use', ...LISTS }],
        reason: 'tool_use',
      },
    ]);
    expect([code, stderr]).toEqual([
      5,
      'clawai: checked 1 request to the model and 2 calls in its answers\nclawai: session nightly: 2 calls by the model, 1 denied; see clawai report nightly\n',
    ]);
    // hazard 33: the path of the base URL stays, and so does the key.
    expect(mock.requests).toMatchObject([{ method: 'POST', url: '/gateway/v9/v1/messages' }]);
    expect(JSON.stringify(mock.requests[0]?.headers)).toContain('sk-ant-api03-key-of-the-user');
    const common = { type: 'mcp_tool_call_intercepted', session_id: 'nightly', server_id: 'native', tool_name: 'Bash' };
    const recorded = [
      { ...common, action: 'block', rule: 'no-rm', tool_call_id: 'toolu_rm', input: REMOVES.input },
      { ...common, action: 'allow', tool_call_id: 'toolu_ls', input: LISTS.input },
    ];
    expect(await json('mcp', 'calls')).toMatchObject(recorded);
    expect(await json('mcp', 'events', '--type', 'mcp_tool_call_intercepted')).toMatchObject(recorded);
    expect(stderr + written()).not.toMatch(/key-of-the-user|\/llm\/anthropic/);
  });

  it('is judged by the policy of the project around, and relative paths are those of the agent', async () => {
    const { current } = sandbox;
    mkdirSync(current.path('.clawai'));
    const rule = `[[rule]]\naction = "deny"\nserver = "native"\ntool = "Read"\nargs.file_path = "${current.folder}/keys/**"\n`;
    current.write('.clawai/policy.toml', rule);
    mock.calls = [{ id: 'toolu_1', name: 'Read', input: { file_path: 'src/../keys/a' } }];
    const { stdout } = await start(agent()).close();
    expect(answersOf(stdout)).toMatchObject([{ content: [{ text: 'Well.' }, { type: 'text' }], reason: 'end_turn' }]);
  });

  it('is judged by a policy that was edited on the way', async () => {
    const running = start(agent('sdk', 2));
    await running.lines(1);
    decree(POLICY.replace('**rm **', '**ls**'));
    await setTimeout(300);
    running.send('\n');
    const { stdout } = await running.ended;
    const calls = answersOf(stdout).map(({ content }) => content.filter(({ type }) => type === 'tool_use').map(({ id }) => id));
    expect(calls).toEqual([['toolu_ls'], ['toolu_rm']]);
    expect(await json('mcp', 'events')).toContainEqual(expect.objectContaining({ type: 'mcp_policy_changed' }));
  });

  it('is judged by another policy with --policy, and not with --no-llm or where the config says so', async () => {
    const other = sandbox.current.write('other.toml', '[defaults]\naction = "allow"\n');
    const both = [{ text: 'Well.' }, { id: 'toolu_rm' }, { id: 'toolu_ls' }];
    for (const words of [['--policy', other], ['--no-llm']]) {
      const { stdout } = await start([...words, ...agent()]).close();
      expect(answersOf(stdout)).toMatchObject([{ content: both }]);
    }
    expect(await json('mcp', 'calls')).toHaveLength(2);
    configure('[llm]\nmode = "disabled"\n');
    const { stdout, stderr } = await start(agent()).close();
    expect(answersOf(stdout)).toMatchObject([{ content: both }]);
    expect(stderr).toBe(
      'clawai: llm.mode is "disabled": what models call is neither decided nor recorded\n' +
        'clawai: clawai checked no request to the model: that check was off\n',
    );
    const refused = await start(['--policy', other, ...agent()]).close();
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--policy decides what a model may call'),
    });
  });

  it('of a server that nobody knows is denied with what can be done about it, for the model and for its person', async () => {
    const unknown = ['mcp__github__create_issue', 'mcp__github__list_issues', 'mcp__claude_ai_Gmail__search'];
    mock.calls = unknown.map((name, at) => ({ id: `toolu_${at}`, name, input: {} }));
    const { stdout, stderr } = await start(agent()).close();
    const [{ content } = { content: [] }] = answersOf(stdout);
    const notes = content.slice(1).map(({ text = '' }) => text);
    expect(notes).toEqual([
      expect.stringContaining('`clawai wrap github`'),
      expect.stringContaining('goes under [[servers]] in config.toml'),
      expect.stringMatching(/cannot be wrapped: it is a connector of the claude\.ai account.*unmapped_tool = "allow"/),
    ]);
    expect(stderr.match(/^clawai: denied tools of the unknown server "\w+": /gm)).toHaveLength(2);
  });

  it('goes to the configured provider before that of the environment', async () => {
    configure(`[llm.providers.anthropic]\nbase_url = "${mock.origin}/configured?key=k"\n`);
    await start(agent(), { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/' }).close();
    expect(mock.requests).toMatchObject([{ url: '/configured/v1/messages?key=k' }]);
  });

  it('that is not there is a usual error of its SDK', async () => {
    await mock.stop();
    const { code, stdout, stderr } = await start(agent()).close();
    expect([code, answersOf(stdout)]).toMatchObject([5, [{ error: 'InternalServerError', status: 502 }]]);
    expect(stderr).toMatch(
      /^clawai: anthropic: cannot reach http:\/\/127\.0\.0\.1:\d+.*\nclawai: checked 1 request to the model and 0 calls in its answers\n$/,
    );
    mock = await ModelMock.start([]);
  });

  it('that nobody could look at is refused, and is said to have come by', async () => {
    const asks = `for (const path of ['responses', 'messages/embeddings'])
      await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/' + path, { method: 'POST', body: '{}' });`;
    const { stderr } = await start(['--', process.execPath, '--input-type=module', '-e', asks]).close();
    expect(stderr).toMatch(
      /checked 0 requests to the model and 0 calls in its answers, and refused 2 requests that it could not check\n$/,
    );
    expect(mock.requests).toEqual([]);
    // Where all is only observed, it passes, which is counted as well.
    configure('mode = "observe"\n');
    const observed = await start(['--', process.execPath, '--input-type=module', '-e', asks]).close();
    expect(observed.stderr).toMatch(
      /checked 0 requests to the model and 0 calls in its answers, and let 2 requests pass unchecked\n$/,
    );
    expect(mock.requests).toHaveLength(2);
    await start(agent()).close();
    const report = await sandbox.current.clawai('report', 'nightly').close();
    expect(report.stdout).toContain('\n5 requests to models: 1 checked, 2 refused, 2 passed unchecked.\n');
    const { stdout } = await sandbox.current.clawai('report', 'nightly', '--json').close();
    expect(JSON.parse(stdout)).toMatchObject({ model_requests: { checked: 1, refused: 2, unchecked: 2 }, servers_connected: 0 });
  });

  it('is cut off when the agent ends, and nothing waits for it', async () => {
    mock.stalledBehind = 'message_start';
    const asking = agent('fetch').slice(1).join(' ');
    const script = sandbox.current.write('agent.sh', `${asking} > /dev/null 2>&1 & read go; exit 3`);
    const running = start(['--', 'sh', script]);
    while (mock.requests.length === 0) await setTimeout(20);
    running.send('go\n');
    expect(await running.ended).toMatchObject({
      code: 3,
      stderr: 'clawai: checked 1 request to the model and 0 calls in its answers\n',
    });
  });
});

describe('what is said to the model, and by it', () => {
  it.each([
    ['[llm]\nstore_bodies = true\n', 'sdk'],
    ['[llm]\nmode = "embedded"\nstore_bodies = true\n', 'fetch'],
  ] as const)('is kept where %j wants that, without keys, and is the record of no call', async (config, by) => {
    configure(`${config}[llm.providers.anthropic]\nbase_url = "${mock.origin}/x?key=key-of-the-user"\n`);
    mock.calls = [{ id: 'toolu_1', name: 'Bash', input: { command: 'export API_KEY=ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8' } }];
    await start(agent(by)).close();
    const [call] = await json('mcp', 'calls');
    const bodies = await json('mcp', 'events', '--type', 'llm_request_body,llm_answer_body');
    const common = { session_id: 'nightly', provider: 'anthropic', dialect: 'anthropic', request_id: call?.['request_id'] };
    expect(bodies).toMatchObject([
      { ...common, type: 'llm_request_body', body: { messages: [{ role: 'user', content: 'Do it.' }], model: 'some-model' } },
      { ...common, type: 'llm_answer_body', body: { 'content_block_delta 0': { delta: { text: 'Well.' } } } },
    ]);
    expect(JSON.stringify(bodies[1])).toMatch(/"partial_json":\{"command":"export API_KEY=\[redacted:/);
    expect(written()).not.toMatch(/key-of-the-user|ghp_A1b2C3/);
    const { stdout } = await sandbox.current.clawai('report', 'nightly', '--json').close();
    expect(JSON.parse(stdout)).toMatchObject({ events: 5, servers_connected: 0, model_calls: { total: 1 } });
  });

  it('is not kept where nobody wants that', async () => {
    await start(agent()).close();
    expect(await json('mcp', 'events', '--type', 'llm_request_body,llm_answer_body')).toEqual([]);
  });
});

describe('a call that is still on its way', () => {
  it('holds nobody up: others decide and record meanwhile', async () => {
    mock.stalledBehind = 'content_block_start","index":1';
    const asking = agent('fetch').slice(1).join(' ');
    const running = start(['--', 'sh', sandbox.current.write('agent.sh', `${asking} & read go; kill $!; exit 3`)]);
    await running.until(() => running.stdout.includes('Well.'));
    await setTimeout(200);
    const { ended, reached } = await attempt(sandbox.current, '[defaults]\naction = "allow"\n', [readFile({ path: 'a' }, 1)]);
    expect([ended.stderr, reached]).toEqual(['', [1]]);
    running.send('go\n');
    expect(await running.ended).toMatchObject({ code: 3 });
  });
});

describe('a call that a person is asked about', () => {
  const ASKING = POLICY.replace('"deny"', '"prompt"');

  async function waiting(): Promise<string> {
    for (let tries = 0; tries < 100; tries++) {
      const [question] = await json('approvals');
      if (question !== undefined) return String(question['id']);
      await setTimeout(50);
    }
    throw new Error('nothing waits');
  }

  it.runIf(HAS_TERMINAL)(
    'waits, while the agent hears that something is there, and goes on when allowed',
    { tags: 'long' },
    async () => {
      decree(ASKING);
      const running = start(agent('fetch'));
      const id = await waiting();
      await running.until(() => running.stdout.includes('event: ping'));
      expect(running.stdout.toString()).not.toContain('toolu_');
      const person = new AtTerminal(sandbox.current, ['approve', id]);
      expect(await person.ended).toMatchObject({ code: 0 });
      const { stdout } = await running.ended;
      expect(stdout.match(/toolu_\w+/g)).toEqual(['toolu_rm', 'toolu_ls']);
      expect(stdout).toContain('rm -rf /tmp/x');
      expect(await json('mcp', 'calls')).toMatchObject([{ approval: 'granted', action: 'allow' }, { action: 'allow' }]);
    },
  );

  it('is taken back when the agent ends, and that is on record', async () => {
    decree(ASKING);
    const { current } = sandbox;
    const script = current.write('agent.sh', `${agent('fetch').slice(1).join(' ')} > /dev/null & read go; exit 3`);
    const running = start(['--', 'sh', script]);
    await waiting();
    running.send('go\n');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([3, expect.stringContaining('1 call by the model, 1 denied')]);
    expect(await json('mcp', 'calls')).toMatchObject([{ approval: 'withdrawn', action: 'block', tool_call_id: 'toolu_rm' }]);
    expect(await json('approvals')).toEqual([]);
  });
});

describe('before the agent starts', () => {
  async function refused(words: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const ended = await start([...words, '--', 'sh', '-c', 'echo started'], env).close();
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    return ended;
  }

  it('a policy that can not be read is an error, the one of the project as well', async () => {
    decree('[[rule]]\naction = "dney"\n');
    expect((await refused()).stderr).toContain('policy.toml:2');
    decree(POLICY);
    mkdirSync(sandbox.current.path('.clawai'));
    sandbox.current.write('.clawai/policy.toml', '[[rule]]\naction = "allow"\ntool = "*"\n');
    expect((await refused()).stderr).toContain('.clawai/policy.toml:2');
  });

  it('a base URL that is none is an error, and is not repeated', async () => {
    const { stderr } = await refused([], { ANTHROPIC_BASE_URL: 'https://me:hunter2@gateway.example' });
    expect(stderr).toMatch(/ANTHROPIC_BASE_URL must not contain a user name/);
    expect(stderr).not.toContain('hunter2');
  });

  it("is said that Claude Code's own settings lead it elsewhere", async () => {
    const { current } = sandbox;
    mkdirSync(current.path('.claude'));
    current.write('.claude/settings.json', JSON.stringify({ env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example' } }));
    const claude = current.write('claude', '#!/bin/sh\necho $ANTHROPIC_BASE_URL\n', 0o755);
    const { stdout, stderr } = await start(['--', claude]).close();
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/llm\/anthropic\/[\w-]{22}\n$/);
    expect(stderr).toMatch(
      /^clawai: .*\.claude\/settings\.json sets ANTHROPIC_BASE_URL, .* clawai does not check this model\nclawai: warning: no request/,
    );
    expect((await start(['--', 'sh', '-c', 'true']).close()).stderr).toMatch(/^clawai: warning: no request.*\n$/);
    current.write('.claude/settings.json', JSON.stringify({ env: { CLAUDE_CODE_USE_BEDROCK: '1' } }));
    const hidden = await start(['--', 'env', 'A=b', 'sh', '-c', 'true && ./claude -p hi']).close();
    expect(hidden.stderr).toMatch(/^clawai: .*settings\.json sets CLAUDE_CODE_USE_BEDROCK, so Claude Code uses Amazon Bedrock: /);
    const within = await start(['--', 'setpriv', '--no-new-privs', claude]).close();
    expect(within.stderr).toMatch(/^clawai: .*settings\.json sets CLAUDE_CODE_USE_BEDROCK, /);
    // What a script starts, and what it sets, is found out as well.
    const script = current.write('start.sh', '#!/bin/sh\nexport ANTHROPIC_BASE_URL=https://x.example\n./claude\n', 0o755);
    expect((await start(['--', script]).close()).stderr).toMatch(
      /^clawai: the command overrides or drops ANTHROPIC_BASE_URL: .*\nclawai: .*settings\.json sets CLAUDE_CODE_USE_BEDROCK, /,
    );
    const elsewhere = await start(['--', 'sh', '-c', 'true'], { OPENAI_API_BASE: 'https://x.example' }).close();
    expect(elsewhere.stderr).toMatch(
      /^clawai: OPENAI_API_BASE is set, which leads some programs past clawai: it does not check /,
    );
    const home = current.env['HOME'] ?? '';
    mkdirSync(join(home, '.claude'), { recursive: true });
    writeFileSync(join(home, '.claude/remote-settings.json'), '{"env":{"CLAUDE_CODE_USE_ANTHROPIC_AWS":"1"}}');
    current.write('.env', 'GOOGLE_GENAI_USE_VERTEXAI=true\n');
    expect((await start(['--', 'sh', '-c', 'true claude gemini']).close()).stderr).toMatch(
      /remote-settings\.json sets CLAUDE_CODE_USE_ANTHROPIC_AWS, .*\nclawai: .*\.env makes Gemini's programs use Vertex AI: /,
    );
    const without = await start(['--', 'env', '-u', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_USE_NEW=1', 'sh', '-c', 'true']).close();
    expect(without.stderr).toMatch(
      /^clawai: the command overrides or drops ANTHROPIC_BASE_URL: .*\nclawai: CLAUDE_CODE_USE_NEW is set, /,
    );
  });

  it('only observing is said, and then nothing is denied', async () => {
    configure('mode = "observe"\n');
    const { stdout, stderr } = await start(agent()).close();
    expect(answersOf(stdout)).toMatchObject([{ content: [{}, { id: 'toolu_rm' }, { id: 'toolu_ls' }] }]);
    expect(stderr).toMatch(
      /^clawai: only observing.*\nclawai: checked 1 .*\nclawai: session nightly: 2 calls by the model, 0 denied;/,
    );
  });

  it('proxies of the environment are kept from what is on this machine', async () => {
    const script = ['--', 'sh', '-c', 'echo "$NO_PROXY $no_proxy"'];
    const proxied = await start(script, { HTTPS_PROXY: 'http://proxy.example:3128', no_proxy: 'corp.example' }).close();
    expect(proxied.stdout).toBe('corp.example,127.0.0.1 corp.example,127.0.0.1\n');
    expect((await start(script).close()).stdout).toBe(' \n');
  });
});
