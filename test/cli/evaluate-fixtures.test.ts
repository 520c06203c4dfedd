import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluateFixtures } from '../../src/cli/evaluate-fixtures.ts';
import { parseFixtures } from '../../src/cli/fixture.ts';
import { flowOf } from '../../src/cli/test-report.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { DEFAULT_FLOW } from '../../src/core/policy/parse-flow.ts';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import type { Policy } from '../../src/core/policy/types.ts';
import { ROOT } from '../support/run-cli.ts';

const OPEN = '[defaults]\naction = "allow"\n';
const FLOW = `${OPEN}[flow]\naction = "deny"\n`;
const RATES = `${OPEN}[flow]\nenabled = false\n[rate_limits]\nenabled = true\n[rate_limits.server.a]\nrpm = 60\nburst = 2\n`;

function policyOf(text: string): Policy {
  const result = parsePolicy(text, { file: 'p.toml' });
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.policy;
}

/** What becomes of each step, in a word, with what flow rules found. */
function run(policy: string, steps: readonly JsonObject[], shared: JsonObject = {}): readonly string[] {
  const fixtures = parseFixtures(JSON.stringify({ ...shared, steps }), 'f.json');
  return evaluateFixtures(policyOf(policy), fixtures).results.map(({ decision }) => {
    const { action, reason } = decision;
    return [action, ...(reason === 'default' ? [] : [reason]), ...flowOf(decision)].join(' ');
  });
}

function call(server: string, tool: string, more: JsonObject = {}): JsonObject {
  return { server, method: 'tools/call', params: { name: tool, arguments: {} }, ...more };
}

const READ = call('db', 'read_rows');
const SEND = call('mail', 'send_email', { at: '5s' });

describe('steps of one session', () => {
  it('know what came before them', () => {
    expect(run(FLOW, [READ, SEND])).toEqual(['allow', 'deny flow read_then_send']);
    expect(run(FLOW, [SEND, { ...READ, at: '5s' }])).toEqual(['allow', 'allow']);
  });

  it('are in no session with other fixtures', () => {
    const text = JSON.stringify([{ steps: [READ] }, { steps: [SEND] }, { ...READ }, { ...SEND, at: undefined }]);
    const { results } = evaluateFixtures(policyOf(FLOW), parseFixtures(text, 'f.json'));
    expect(results.map(({ decision }) => decision.action)).toEqual(['allow', 'allow', 'allow', 'allow']);
  });

  it('that do not go on leave nothing behind', () => {
    const rule = (action: string): string => `${FLOW}[[rule]]\naction = "${action}"\ntool = "read_rows"\n`;
    expect(run(rule('deny'), [READ, SEND])).toEqual(['deny rule', 'allow']);
    expect(run(rule('prompt'), [READ, SEND])).toEqual(['prompt rule', 'allow']);
    expect(run(rule('prompt'), [{ ...READ, approved: true }, SEND])).toEqual(['prompt rule', 'deny flow read_then_send']);
    expect(run(FLOW, [{ ...READ, retracted: true }, SEND])).toEqual(['allow', 'allow']);
  });

  it('go by the kinds of tools that their context says', () => {
    const quiet = { ...READ, context: { category: ['compute'] } };
    expect(run(FLOW, [quiet, SEND])).toEqual(['allow', 'allow']);
    expect(run(FLOW, [READ, { ...quiet, server: 'mail', context: { category: ['send'] } }])).toEqual([
      'allow',
      'deny flow read_then_send',
    ]);
  });

  it('have a turn where they say so, or where their call does', () => {
    const write = call('notes', 'write_note');
    const found = ['allow', 'deny flow cross_server_flow'];
    const meta = { _meta: { 'x-codex-turn-metadata': '{"turn_id":"t"}' } };
    const withMeta = ({ params, ...step }: JsonObject): JsonObject => ({
      ...step,
      params: { ...(params as JsonObject), ...meta },
    });
    expect(
      run(FLOW, [
        { ...READ, turn: 't' },
        { ...write, turn: 't' },
      ]),
    ).toEqual(found);
    expect(run(FLOW, [withMeta(READ), withMeta(write)])).toEqual(found);
    expect(run(FLOW, [withMeta(READ), { ...withMeta(write), turn: 'u' }])).toEqual(['allow', 'allow']);
  });

  it('know what came before a long pause, as far as the window goes', () => {
    const long = `${OPEN}[flow]\nread_then_send = { action = "deny", window = "1h" }\n`;
    expect(run(long, [READ, { ...SEND, at: '30m' }])).toEqual(['allow', 'deny flow read_then_send']);
    expect(run(long, [READ, { ...SEND, at: '60m' }])).toEqual(['allow', 'deny flow read_then_send']);
    expect(run(long, [READ, { ...SEND, at: '60m1ms' }])).toEqual(['allow', 'allow']);
    expect(run(long, [READ, call('db', 'ping', { at: '20m' }), { ...SEND, at: '40m' }])).toEqual([
      'allow',
      'allow',
      'deny flow read_then_send',
    ]);
  });
});

describe('servers of a session', () => {
  const two = `${OPEN}[flow]\nburst = { max_calls = 2, window = "10s", action = "deny" }\n`;
  const a = call('a', 'ping');

  it('are all that its steps name, from the start', () => {
    expect(run(two, [a, a, a])).toEqual(['allow', 'allow', 'allow']);
    expect(run(two, [a, a, a, call('b', 'ping')])).toEqual(['allow', 'allow', 'deny flow burst', 'allow']);
    expect(run(two, [a, a, a], { tools: { b: ['x'] } })).toEqual(['allow', 'allow', 'deny flow burst']);
  });

  it('are those that the context names, and each from its first call', () => {
    const context = { servers: ['a'] };
    const b = call('b', 'ping');
    expect(run(two, [a, a, a, b, a], { context })).toEqual(['allow', 'allow', 'allow', 'allow', 'allow']);
    expect(run(two, [a, b, a, a, a], { context })).toEqual(['allow', 'allow', 'allow', 'allow', 'deny flow burst']);
    const late = { ...a, at: '31m' };
    expect(run(two, [a, b, late, late, late], { context })).toEqual(['allow', 'allow', 'allow', 'allow', 'deny flow burst']);
    expect(run(two, [a, a, a], { context: { servers: ['a', 'b'] } })).toEqual(['allow', 'allow', 'deny flow burst']);
    const beside = { ...a, context: { servers: ['b'] } };
    expect(run(two, [a, beside, beside, beside])).toEqual(['allow', 'allow', 'allow', 'deny flow burst']);
  });
});

describe('a tool of two servers', () => {
  it('is the one that listed it first', () => {
    const tools = { b: ['t', 'x'], a: ['t'] };
    const steps = [call('a', 't'), call('b', 't'), call('a', 'u')];
    expect(run(OPEN, steps, { tools })).toEqual(['deny flow shadow_tool', 'allow', 'allow']);
  });

  it('is as the context says, in a fixture without steps too', () => {
    const fixture = { ...call('a', 't'), context: { shadowed: 'b' }, expected: 'deny', expectedRule: 'flow:shadow_tool' };
    const { results } = evaluateFixtures(policyOf(OPEN), parseFixtures(JSON.stringify(fixture), 'f.json'));
    expect(results.map(({ ok }) => ok)).toEqual([true]);
  });

  it.each([
    ['flow:shadow_tool', null, true],
    [null, 'flow:shadow_tool', false],
  ])('is decided by a guard (%s), and another by the default (%s), which is not just no rule: %s', (byGuard, byDefault, ok) => {
    const fixtures = [
      { ...call('a', 't'), context: { shadowed: 'b' }, expectedRule: byGuard },
      { ...call('a', 't'), expectedRule: byDefault },
    ];
    const { results } = evaluateFixtures(policyOf(OPEN), parseFixtures(JSON.stringify(fixtures), 'f.json'));
    expect(results.map((result) => result.ok)).toEqual([ok, ok]);
  });

  it('is no matter where flow is switched off', () => {
    expect(run(`${OPEN}[flow]\nenabled = false\n`, [call('a', 't')], { tools: { b: ['t'], a: ['t'] } })).toEqual(['allow']);
  });
});

describe('rate limits', () => {
  const a = call('a', 't');

  it('are spent by what goes on, and come back with time', () => {
    expect(run(RATES, [a, a, a, { ...a, at: '999ms' }, { ...a, at: '1s' }, a])).toEqual([
      'allow',
      'allow',
      'deny rate_limit',
      'deny rate_limit',
      'allow',
      'deny rate_limit',
    ]);
  });

  it('are not spent by what does not go on', () => {
    const denied = call('a', 'x');
    const policy = `${RATES}[[rule]]\naction = "prompt"\ntool = "x"\n`;
    expect(run(policy, [denied, denied, a, { ...a, retracted: true }, a, a])).toEqual([
      'prompt rule',
      'prompt rule',
      'allow',
      'allow',
      'allow',
      'deny rate_limit',
    ]);
    expect(run(policy, [{ ...denied, approved: true }, a, a])).toEqual(['prompt rule', 'allow', 'deny rate_limit']);
  });

  it('are the same after a pause that ends a session', () => {
    const slow = RATES.replace('rpm = 60', 'rpm = 0.5');
    expect(run(slow, [a, a, { ...a, at: '31m' }, a, a])).toEqual(['allow', 'allow', 'allow', 'allow', 'deny rate_limit']);
  });

  it('are counted by their names', () => {
    const fixtures = parseFixtures(JSON.stringify({ steps: [a, a, a] }), 'f.json');
    expect(evaluateFixtures(policyOf(RATES), fixtures).coverage.guards).toEqual({
      hit: ['rate_limit:a'],
      missed: ['rate_limit', 'detection:definition', 'detection:result', 'detection:request'],
    });
  });
});

describe('values of results', () => {
  const policy = `${OPEN}[flow]\naction = "deny"\nread_then_send = { evidence = "value", window = "1h" }\n`;
  const token = 'tk_9fQ2mXr7LpZ4vBn8KdTw3HsYcJ6e';
  const text = { content: [{ type: 'text', text: `the token is ${token}` }] };
  const found = ['allow', 'deny flow read_then_send'];
  const say = (body: string, more: JsonObject = {}): JsonObject => ({
    ...SEND,
    params: { name: 'send_email', arguments: { to: 'x@example.org', body } },
    ...more,
  });

  it.each<[string, string]>([
    ['as they are', `look: ${token}`],
    ['in base64', Buffer.from(token).toString('base64')],
    ['in hex', Buffer.from(token).toString('hex')],
    ['percent-encoded', encodeURIComponent(`<${token}>`)],
  ])('are found %s', (_case, body) => {
    expect(run(policy, [{ ...READ, result: text }, say(body)])).toEqual(found);
    expect(run(policy, [{ ...READ, result: `the token is ${token}` }, say(body)])).toEqual(found);
  });

  it('are not found where they are not, or came too late, or never came', () => {
    const result = { result: text };
    expect(run(policy, [{ ...READ, ...result }, say('nothing to report')])).toEqual(['allow', 'allow']);
    expect(run(policy, [READ, say(token)])).toEqual(['allow', 'allow']);
    expect(run(policy, [{ ...READ, ...result }, say(token, { server: 'db' })])).toEqual(['allow', 'allow']);
    expect(run(policy, [say(token, { at: '0s' }), { ...READ, at: '1s', ...result }])).toEqual(['allow', 'allow']);
    const denied = `${policy}[[rule]]\naction = "deny"\ntool = "read_rows"\n`;
    expect(run(denied, [{ ...READ, ...result }, say(token)])).toEqual(['deny rule', 'allow']);
  });

  it('are no news to a server that was told them before', () => {
    const told = call('mail', 'set_token', { params: { name: 'set_token', arguments: { token } } });
    expect(run(policy, [told, { ...READ, at: '1s', result: text }, say(token)])).toEqual(['allow', 'allow', 'allow']);
    const later = [{ ...READ, at: '31m', result: text }, say(token, { at: '32m' })];
    expect(run(policy, [told, ...later])).toEqual(['allow', ...found]);
  });

  it('are known after a long pause, as far as the window goes', () => {
    for (const at of ['30m', '60m']) expect(run(policy, [{ ...READ, result: text }, say(token, { at })])).toEqual(found);
    expect(run(policy, [{ ...READ, result: text }, say(token, { at: '61m' })])).toEqual(['allow', 'allow']);
  });
});

it('an expectation from outside is about the last step', () => {
  const fixtures = parseFixtures(JSON.stringify([{ steps: [READ, SEND] }, READ]), 'f.json');
  const { results } = evaluateFixtures(policyOf(FLOW), fixtures, 'deny');
  expect(results.map(({ ok, expected }) => [ok, expected])).toEqual([
    [true, undefined],
    [true, 'deny'],
    [false, 'deny'],
  ]);
});

it("the README's fixtures are true of the shipped policy", async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Test a policy'));
  const examples = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  const policy = policyOf(await readFile(join(ROOT, 'policies/default.toml'), 'utf8'));
  const results = examples.flatMap((text) => evaluateFixtures(policy, parseFixtures(text, 'README.json')).results);
  expect(results.map(({ ok, decision }) => [ok, decision.action])).toEqual([
    [true, 'deny'],
    [true, 'allow'],
    [true, 'allow'],
  ]);
});

describe("the README's policies", () => {
  async function example(heading: string): Promise<string> {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const section = readme.slice(readme.indexOf(`### ${heading}\n`));
    return `${OPEN}${/```toml\n(.*?)```/s.exec(section)?.[1] ?? ''}`;
  }

  const called = (at: number, server: string, name: string): JsonObject => {
    return { at: `${at}s`, server, method: 'tools/call', params: { name, arguments: {} } };
  };

  it('[flow] denies what is sent after something was read, within the window', async () => {
    const policy = await example('Calls that go together');
    const sentAfter = (seconds: number): readonly string[] =>
      run(policy, [called(0, 'db', 'query_database'), called(seconds, 'mail', 'send_email')]);
    expect(sentAfter(30)).toEqual(['allow', 'deny flow read_then_send']);
    expect(sentAfter(31)).toEqual(['allow', 'allow']);
    const { flow } = policyOf(policy);
    const { readThenSend, crossServerFlow, burst } = DEFAULT_FLOW;
    expect(flow).toEqual({
      ...DEFAULT_FLOW,
      readThenSend: { ...readThenSend, action: 'deny' },
      crossServerFlow: { ...crossServerFlow, action: 'deny' },
      burst: { ...burst, action: 'deny' },
    });
  });

  it('[rate_limits] counts by server, and by tool besides', async () => {
    const policy = await example('How often');
    const calls = (count: number, name: string): readonly string[] =>
      run(
        policy,
        Array.from({ length: count }, () => called(0, 'weather', name)),
      );
    expect(calls(4, 'forecast')).toEqual(['allow', 'allow', 'allow', 'deny rate_limit']);
    expect(calls(2, 'history')).toEqual(['allow', 'deny rate_limit']);
    expect(policyOf(policy).rateLimits.default).toEqual({ rpm: 60, burst: 10 });
  });
});
