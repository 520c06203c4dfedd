/** @module-tag long */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { ModelMock } from '../support/model-mock.ts';
import { Running } from '../support/running.ts';
import { serverPackage, support } from '../support/sandbox.ts';
import { query } from '../support/stored.ts';

const sandbox = useSandbox();

const POLICY = `
[defaults]
action = "allow"
[approval]
timeout = "30s"
channels = ["terminal"]
[[rule]]
id = "ask"
description = "Writes to the project"
action = "prompt"
server = "files"
tool = "write_file"
`;

let mock: ModelMock;
let target: string;
beforeEach(async () => {
  mkdirSync(sandbox.current.path('project'));
  mkdirSync(sandbox.current.path('config/clawai'), { recursive: true });
  target = sandbox.current.path('project/a.txt');
  decree(POLICY);
  const input = { path: target, content: 'from the model' };
  mock = await ModelMock.start([{ id: 'toolu_write', name: 'mcp__files__write_file', input }]);
});
afterEach(() => mock.stop());

function decree(policy: string): void {
  writeFileSync(sandbox.current.path('config/clawai/policy.toml'), policy);
}

interface AgentOptions {
  readonly isStream?: boolean;
  readonly names?: boolean;
  readonly times?: number;
  /** Makes all calls of the model, whatever the answer has. */
  readonly isTold?: boolean;
  /** Tells the model something else of this tool than its server does. */
  readonly misdescribes?: string;
}

/** `clawai run` with an agent whose real server is wrapped. */
function start({ isStream = true, names = true, times = 1, isTold = false, misdescribes = '' }: AgentOptions = {}): Running {
  const { current } = sandbox;
  const files = [process.execPath, serverPackage('filesystem'), current.path('project')];
  const server = current.command('proxy', '--server', 'files', '--', ...files);
  const agent = JSON.stringify({
    server,
    registry: current.command('mcp', 'registry', 'list', '--json'),
    prefix: 'mcp__files__',
    isStream,
    names,
    times,
    told: isTold ? mock.calls : [],
    misdescribes,
  });
  const words = ['run', '--session', 'nightly', '--', process.execPath, support('calling-model-agent.mjs'), agent];
  return new Running(current.command(...words), {
    env: { ...current.env, ANTHROPIC_BASE_URL: mock.origin },
    cwd: current.folder,
  });
}

async function json(...words: readonly string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await sandbox.current.clawai(...words, '--json').close();
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function report(): Promise<Record<string, unknown>> {
  const { stdout } = await sandbox.current.clawai('report', 'nightly', '--json').close();
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The id of the question that waits. */
async function waiting(): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const [question] = await json('approvals');
    if (question !== undefined) return String(question['id']);
    await setTimeout(50);
  }
  throw new Error('nothing waits');
}

async function approve(): Promise<string> {
  const id = await waiting();
  await new AtTerminal(sandbox.current, ['approve', id]).ended;
  return id;
}

describe.runIf(HAS_TERMINAL)('hazard 1: a call that is approved in the answer of the model', () => {
  it.each<[string, AgentOptions]>([
    ['streamed, and named where it is made', {}],
    ['streamed', { names: false }],
    ['in one piece, and named where it is made', { isStream: false }],
    ['in one piece', { isStream: false, names: false }],
  ])('is asked about once, made, and counted once: %s', async (_how, options) => {
    const running = start(options);
    const id = await approve();
    const { stdout, stderr } = await running.ended;
    expect(stdout).toContain('Successfully wrote');
    expect(readFileSync(target, 'utf8')).toBe('from the model');
    const [first, second, ...others] = await json('mcp', 'calls');
    const common = { session_id: 'nightly', server_id: 'files', tool_name: 'write_file', action: 'allow', rule: 'ask' };
    expect(first).toMatchObject({ ...common, type: 'mcp_tool_call_intercepted', approval_id: id, tool_call_id: 'toolu_write' });
    expect(second).toMatchObject({
      ...common,
      type: 'mcp_tool_called',
      sighting_of: first?.['id'],
      approval: 'granted',
      approval_id: id,
      approved_in: 'model_answer',
    });
    expect(others).toEqual([]);
    expect(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM approvals')).toEqual([{ n: 1 }]);
    expect(await report()).toMatchObject({
      calls: { total: 1, asked: { granted: 1 } },
      calls_from_answers: 1,
      model_calls: { total: 0 },
      approvals: { granted: 1 },
    });
    expect(stderr).toContain('clawai: session nightly: 1 call, 0 denied, 0 flow findings; see clawai report nightly\n');
    expect(query(sandbox.current.storeFile, 'SELECT count(*) AS n FROM sightings')).toEqual([{ n: 0 }]);
  });

  it('is asked about again where it is made a second time', async () => {
    const running = start({ times: 2 });
    const id = await approve();
    await running.lines(1);
    expect(await waiting()).not.toBe(id);
    await approve();
    const { stdout } = await running.ended;
    expect(stdout.match(/^.*Successfully wrote.*$/gm)).toHaveLength(2);
    const [, second, third] = await json('mcp', 'calls');
    expect([second?.['approved_in'], third?.['approved_in'], third?.['sighting_of']]).toEqual([
      'model_answer',
      undefined,
      undefined,
    ]);
  });
});

describe('a call that nobody approves', () => {
  it('never reaches the agent, and is no call at a server', async () => {
    decree(POLICY.replace('30s', '1s'));
    const { stdout, stderr } = await start().ended;
    expect(stdout).toBe('denied\n');
    expect(existsSync(target)).toBe(false);
    expect(await json('mcp', 'calls')).toMatchObject([{ approval: 'expired', action: 'block' }]);
    expect(stderr).toContain('1 call by the model, 1 denied');
  });

  it('is withdrawn where the agent leaves, in one piece as well', async () => {
    const running = start({ isStream: false });
    await waiting();
    process.kill(running.pid, 'SIGTERM');
    await running.ended;
    expect(await json('mcp', 'calls')).toMatchObject([{ approval: 'withdrawn', action: 'block' }]);
    expect(await json('approvals')).toEqual([]);
  });
});

it('a call that is allowed is known on both paths', async () => {
  decree(POLICY.replace('"prompt"', '"allow"'));
  await start().ended;
  const [first, second] = await json('mcp', 'calls');
  expect(second).toMatchObject({ type: 'mcp_tool_called', sighting_of: first?.['id'] });
  const { stdout } = await sandbox.current.clawai('mcp', 'calls').close();
  expect(stdout).toMatch(/write_file .*\(by model\).*\n.*write_file .*\(again\)/);
});

it('a call that is denied in the answer and made all the same is denied again, and is an alarm', async () => {
  decree(POLICY.replace('"prompt"', '"deny"'));
  const { stdout } = await start({ isTold: true }).ended;
  expect(JSON.parse(stdout)).toMatchObject({ isError: true });
  expect(existsSync(target)).toBe(false);
  const [first, second] = await json('mcp', 'calls');
  expect([first?.['action'], second?.['action'], second?.['sighting_of']]).toEqual(['block', 'block', undefined]);
  expect(await json('mcp', 'events', '--type', 'mcp_denied_call_made')).toMatchObject([
    { severity: 'high', action: 'block', denied_call_id: first?.['id'], call_id: second?.['id'], tool_call_id: 'toolu_write' },
  ]);
  expect(await report()).toMatchObject({ findings_by_severity: { high: 1 } });
});

it('a tool of which the agent tells the model something else than its server is told of, and no other', async () => {
  decree(POLICY.replace('"prompt"', '"allow"'));
  await start({ misdescribes: 'read_text_file' }).ended;
  expect(await json('mcp', 'events', '--type', 'mcp_tool_definition_differs')).toMatchObject([
    { server_id: 'files', tool_name: 'read_text_file', differs: 'description', action: 'alert', severity: 'medium' },
  ]);
});
