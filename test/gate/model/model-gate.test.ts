import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import type { CompiledPolicy } from '../../../src/core/match/compiled-policy.ts';
import type { ModelRequest } from '../../../src/gate/model/call-targets.ts';
import type { ModelGate } from '../../../src/gate/model/model-gate.ts';
import type { Answer } from '../../../src/gate/ports/approval-port.ts';
import { Rounds } from '../../../src/gate/rounds.ts';
import type { Verdict } from '../../../src/gate/verdict.ts';
import type { ModelCall } from '../../../src/protocol/llm/dialect.ts';
import { claudeCode } from '../../../src/protocol/llm/tool-names/claude-code.ts';
import { ALLOW, createModelGate, denyNative, type LlmOptions } from '../../support/llm-route.ts';
import { knowing } from '../../support/knowing.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { policyFrom } from '../../support/policy.ts';

const NEVER = new AbortController().signal;
const CLAUDE: ModelRequest = { dialect: 'anthropic', id: 'r.1', client: claudeCode, tools: new Map() };
const UNKNOWN: ModelRequest = { ...CLAUDE, client: undefined };

function callOf(name: string, args: string | undefined = '{}', more: Partial<ModelCall> = {}): ModelCall {
  return { id: 'toolu_1', name, group: undefined, args, problem: undefined, runBy: 'client', server: undefined, ...more };
}

async function judge(gate: ModelGate, call: ModelCall, request = CLAUDE, withdrawn = NEVER): Promise<Verdict> {
  const rounds = new Rounds();
  const judged = rounds.judge(gate, () => gate.judge(call, request, withdrawn));
  return judged.kind === 'late' ? judged.verdict : judged;
}

async function outcome(policy: string, call: ModelCall, options: LlmOptions | object = {}, request = CLAUDE): Promise<string> {
  const verdict = await judge(createModelGate(policy, options).gate, call, request);
  return verdict.kind === 'reply' ? verdict.line : verdict.kind;
}

const RULE = (server: string, tool: string, action = 'deny') =>
  `\n[[rule]]\naction = "${action}"\nserver = "${server}"\ntool = "${tool}"\n`;

describe('the servers that a call may be for', () => {
  it('are those of its name, and unclear where the name of an unknown tool may have its border elsewhere', () => {
    const registry = knowing({ github: ['create_issue', 'a__b'] });
    const { gate } = createModelGate(ALLOW, { ports: { registry } });
    const serversOf = (name: string): readonly string[] => gate.serversOf({ name, group: undefined }, CLAUDE);
    expect(serversOf('mcp__github__create_issue')).toEqual(['github']);
    expect(serversOf('mcp__github__a__b')).toEqual(['github']);
    expect(serversOf('mcp__other__evil')).toEqual(['other']);
    expect(serversOf('mcp__other__evil__send')).toEqual(['']);
    expect(serversOf('Bash')).toEqual(['native']);
  });
});

describe('a call', () => {
  it('goes on, and is on record with what is known of it', async () => {
    const registry = knowing({ github: ['create_issue'] });
    const { gate, records } = createModelGate(ALLOW, { ports: { registry } });
    expect(await judge(gate, callOf('mcp__github__create_issue', '{"title":"a"}'))).toEqual({ kind: 'forward' });
    expect(records).toMatchObject([
      {
        call: { method: 'tools/call', server: 'github', tool: 'create_issue' },
        requestId: undefined,
        decision: { action: 'allow' },
        intercepted: {
          dialect: 'anthropic',
          request: 'r.1',
          id: 'toolu_1',
          name: 'mcp__github__create_issue',
          serverType: 'stdio',
          serverAddress: undefined,
          fingerprint: registry.pin('github', 'tool', 'create_issue')?.seen,
          problem: undefined,
        },
      },
    ]);
  });

  it('is denied with a note for the model, and that is on record', async () => {
    const { gate, records } = createModelGate(ALLOW + denyNative('Bash', 'args.command = "**shadow**"'));
    const verdict = await judge(gate, callOf('Bash', '{"command":"cat /etc/shadow"}'));
    expect(verdict).toMatchObject({ kind: 'reply', line: expect.stringMatching(/^\[clawai\] clawai denied .*Bash/) });
    expect(await judge(gate, callOf('Bash', '{"command":"ls"}'))).toEqual({ kind: 'forward' });
    expect(records.map(({ decision }) => decision.action)).toEqual(['deny', 'allow']);
  });

  it.each(['invalid_json', 'duplicate_key', 'not_an_object', 'too_long', 'incomplete', 'unclear'] as const)(
    'is denied where its arguments are %s',
    async (problem) => {
      const { gate, records } = createModelGate(ALLOW);
      expect((await judge(gate, callOf('Bash', '{"command":"ls"}', { problem }))).kind).toBe('reply');
      expect(records).toMatchObject([{ decision: { reason: 'unreadable_arguments' }, intercepted: { problem } }]);
    },
  );

  it('hazard 29: is judged for itself, whatever became of one of the same name', async () => {
    const { gate } = createModelGate(ALLOW + denyNative('Bash', 'args.command = "**rm**"'));
    const kinds = [];
    for (const command of ['ls', 'rm', 'ls']) kinds.push((await judge(gate, callOf('Bash', JSON.stringify({ command })))).kind);
    expect(kinds).toEqual(['forward', 'reply', 'forward']);
  });
});

describe('hazard 32: a name', () => {
  const ports = { registry: knowing({ github: ['create_issue'], 'my files': ['read'], my_files: ['read'] }) };

  it.each([
    ['of Claude Code', 'mcp__github__create_issue', RULE('github', 'create_issue'), 'github'],
    ['that several servers have: the strictest counts', 'mcp__my_files__read', RULE('my files', 'read'), 'my files'],
    ['that several servers have, the other way about', 'mcp__my_files__read', RULE('my_files', 'read'), 'my_files'],
  ])('%s is read as the policy knows it', async (_what, name, rule, server) => {
    const { gate, records } = createModelGate(ALLOW + rule, { ports });
    expect((await judge(gate, callOf(name))).kind).toBe('reply');
    expect(records).toMatchObject([{ call: { server }, decision: { reason: 'rule' } }]);
  });

  it('of an unknown client is read in every way', async () => {
    for (const name of ['mcp__github__create_issue', 'github_create_issue', 'create_issue']) {
      expect(await outcome(ALLOW + RULE('github', 'create_issue'), callOf(name), { ports }, UNKNOWN)).toContain('denied');
    }
    expect(await outcome(ALLOW + RULE('github', 'create_issue'), callOf('Read'), { ports }, UNKNOWN)).toBe('forward');
  });

  it('of nobody that is known is denied, as unmapped_tool says', async () => {
    const { gate, records } = createModelGate('[defaults]\naction = "allow"\n', { ports });
    expect((await judge(gate, callOf('mcp__nobody__read'))).kind).toBe('reply');
    expect(records).toMatchObject([{ call: { server: 'nobody', tool: 'read', origin: 'unmapped' } }]);
    expect(await outcome(ALLOW, callOf('mcp__nobody__read'), { ports })).toBe('forward');
  });

  it("of the agent's own tool is decided by native rules alone", async () => {
    const policy = '[defaults]\naction = "deny"\nnative = "allow"\n' + RULE('github', 'Read');
    expect(await outcome(policy, callOf('Read'), { ports })).toBe('forward');
    expect(await outcome(policy + RULE('native', 'Read'), callOf('Read'), { ports })).toContain('denied');
    const prompting = ALLOW + RULE('native', 'web.close_tab');
    expect(await outcome(prompting, callOf('close_tab', '{}', { group: 'web' }), {}, UNKNOWN)).toContain('denied');
  });

  it("of a tool of a server that the provider calls is that server's", async () => {
    const call = callOf('read', '{}', { runBy: 'provider', server: 'remote' });
    expect(await outcome(ALLOW + RULE('remote', 'read'), call)).toContain('denied');
    expect(await outcome(ALLOW + RULE('native', 'read'), call)).toBe('forward');
  });
});

describe('the name alone', () => {
  it.each([
    ['denies', ALLOW + denyNative('Bash'), 'deny'],
    ['settles nothing where arguments count', ALLOW + denyNative('Bash', 'args.command = "**x**"'), 'hold'],
    ['never allows, since what protects clawai itself reads arguments', ALLOW, 'hold'],
    ['settles nothing where a person is asked', ALLOW + RULE('native', 'Bash', 'prompt'), 'hold'],
  ] as const)('%s', (_what, policy, verdict) => {
    expect(createModelGate(policy).gate.nameVerdict(callOf('Bash', undefined), CLAUDE)).toBe(verdict);
  });

  const OFFERED = (schema: object) => ({
    tools: new Map([['t', { name: 't', type: 'custom', definition: JSON.stringify({ input_schema: schema }) }]]),
  });
  const CLOSED = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false };

  it.each([
    ['what only shows or notes something', ALLOW, 'TodoWrite', CLAUDE, 'allow'],
    ['that of a program of which nobody knows what it is', ALLOW, 'TodoWrite', UNKNOWN, 'hold'],
    ['what takes paths or commands', ALLOW, 'Write', CLAUDE, 'hold'],
    ['what starts other agents', ALLOW, 'Agent', CLAUDE, 'hold'],
    ['what a rule is about by its arguments', ALLOW + denyNative('TodoWrite', 'args.todos = "x"'), 'TodoWrite', CLAUDE, 'hold'],
    ['what a rule asks about', ALLOW + RULE('native', 'TodoWrite', 'prompt'), 'TodoWrite', CLAUDE, 'hold'],
    ['what takes numbers alone', ALLOW, 't', { ...CLAUDE, ...OFFERED(CLOSED) }, 'allow'],
    ['what takes a text', ALLOW, 't', { ...CLAUDE, ...OFFERED({ ...CLOSED, properties: { n: { type: 'string' } } }) }, 'hold'],
  ] as const)(
    'lets nothing wait that no rule and no guard needs the arguments of: %s',
    (_what, policy, name, request, verdict) => {
      expect(createModelGate(policy).gate.nameVerdict(callOf(name, undefined), request)).toBe(verdict);
    },
  );

  it('what is wrong with arguments makes no difference where none does', async () => {
    const { gate, records } = createModelGate(ALLOW);
    const call = callOf('TodoWrite', '{"todos":[{"content":"~/.config/clawai/policy.toml"}', { problem: 'incomplete' });
    expect(await judge(gate, call)).toEqual({ kind: 'forward' });
    expect(records).toMatchObject([{ decision: { action: 'allow' }, intercepted: { problem: 'incomplete' } }]);
    expect((await judge(gate, call, UNKNOWN)).kind).toBe('reply');
  });

  it('lets calls that the provider has run stream on', () => {
    const call = callOf('web_search', undefined, { runBy: 'provider' });
    expect(createModelGate(ALLOW).gate.nameVerdict(call, UNKNOWN)).toBe('allow');
    expect(createModelGate(ALLOW).gate.nameVerdict({ ...call, server: 'ex' }, UNKNOWN)).toBe('hold');
  });

  it('settles nothing where the store is taken or fails', () => {
    const policy = ALLOW + denyNative('Bash');
    expect(createModelGate(policy, { sink: { begin: () => false } }).gate.nameVerdict(callOf('Bash'), CLAUDE)).toBe('hold');
    const begin = () => {
      throw new Error('the disk is gone');
    };
    expect(createModelGate(policy, { sink: { begin } }).gate.nameVerdict(callOf('Bash'), CLAUDE)).toBe('hold');
  });

  it('keeps the store from nobody once the turn is over', async () => {
    const { gate, transactions } = createModelGate(ALLOW);
    const rounds = new Rounds();
    expect(rounds.lookUp(gate, () => gate.nameVerdict(callOf('Bash', undefined), CLAUDE))).toBe('hold');
    await setImmediate();
    expect(transactions).toEqual({ begun: 1, ended: 1 });
  });
});

describe('what the provider runs', () => {
  it.each([
    ['by a native rule', denyNative('web_search'), undefined, true],
    ['by a rule for another', denyNative('web_fetch'), undefined, false],
    ['only for some arguments', denyNative('web_search', 'args.query = "**x**"'), undefined, false],
    ["by a rule for a server's", RULE('ex', 'web_search'), 'ex', true],
    ["by a rule for another server's", RULE('why', 'web_search'), 'ex', false],
    ['by a rule for all of a server', RULE('ex', '**'), 'ex', true],
    ['by the list of servers', '\n[server_policy]\npolicy = "denylist"\ndeny = ["ex"]\n', 'ex', true],
  ])('is denied %s', (_what, rule, server, isDenied) => {
    const { gate } = createModelGate(ALLOW + rule, { sink: { begin: () => false } });
    expect(gate.deniesTool('web_search', server)).toBe(isDenied);
  });

  it('passes where it is only watched', () => {
    const { gate } = createModelGate(ALLOW + denyNative('web_search'), { setup: { isObserving: true } });
    expect(gate.deniesTool('web_search', undefined)).toBe(false);
  });

  it('is decided by the policy that there is now', async () => {
    let looks = 0;
    const [before, now] = [ALLOW, ALLOW + denyNative('web_search')].map((text) => compilePolicy(policyFrom(text)));
    const policy = {
      refresh: () => ++looks > 2,
      current: () => (looks > 2 ? now : before) as CompiledPolicy,
      takeChanges: () => [],
    };
    const { gate } = createModelGate(ALLOW, { setup: { policy } });
    await gate.refresh();
    expect(looks).toBe(3);
    expect(gate.deniesTool('web_search', undefined)).toBe(true);
  });
});

describe('a person', () => {
  const POLICY = ALLOW + RULE('native', 'Bash', 'prompt');
  const asking = (answer: () => Promise<Answer>) => ({ ports: { approver: { ask: answer } } });

  it.each(['granted', 'refused', 'timeout'] as const)('is asked: %s', async (approval) => {
    const { gate, records } = createModelGate(
      POLICY,
      asking(() => Promise.resolve({ approval } as Answer)),
    );
    expect((await judge(gate, callOf('Bash'))).kind).toBe(approval === 'granted' ? 'forward' : 'reply');
    expect(records).toMatchObject([{ asked: approval, decision: { action: 'prompt' } }]);
  });

  it('who does not answer is asked no longer when the client has left', async () => {
    const leaving = new AbortController();
    const { gate, records } = createModelGate(
      POLICY,
      asking(() => new Promise(() => {})),
    );
    const verdict = judge(gate, callOf('Bash'), CLAUDE, leaving.signal);
    await setImmediate();
    expect(records).toEqual([]);
    leaving.abort();
    expect((await verdict).kind).toBe('reply');
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
  });

  it('is not asked by a store that waits', async () => {
    const { gate, transactions } = createModelGate(
      POLICY,
      asking(() => new Promise(() => {})),
    );
    void judge(gate, callOf('Bash'));
    await setImmediate();
    expect(transactions).toEqual({ begun: 1, ended: 1 });
  });
});

describe('what goes wrong', () => {
  const broken = (message: string) => () => {
    throw new Error(message);
  };
  const faults: readonly [string, object][] = [
    ['the store fails', { sink: { begin: broken('the disk is gone') } }],
    ['the record fails', { sink: { record: broken('the disk is full') } }],
    ['the commit fails', { sink: { commit: broken('the disk is full') } }],
    ['the registry fails', { ports: { registry: Object.assign(new MemoryRegistry(), { tools: broken('it is malformed') }) } }],
    ['judging fails', { ports: { clock: { now: () => 0, elapsed: broken('no clock') } } }],
  ];

  it.each(faults)('denies: %s', async (_what, options) => {
    const { gate, records, warnings, transactions } = createModelGate(ALLOW, options);
    expect(await judge(gate, callOf('Bash'))).toMatchObject({ kind: 'reply', line: expect.stringContaining('[clawai]') });
    expect(records).toEqual([]);
    expect(warnings).toHaveLength(1);
    await setImmediate();
    expect(transactions.ended).toBe(transactions.begun);
  });

  it('a result of a call that was denied since its record was lost is an alarm', async () => {
    let isBroken = true;
    const commit = (): void => {
      if (isBroken) throw new Error('the disk is full');
    };
    const { gate, warnings } = createModelGate(ALLOW, { sink: { commit } });
    const call = callOf('Bash');
    expect((await judge(gate, call)).kind).toBe('reply');
    isBroken = false;
    const rounds = new Rounds();
    const judged = rounds.judge(gate, () => gate.judgeResults([call], CLAUDE));
    expect(judged.kind === 'late' ? await judged.verdict : judged).toEqual({ kind: 'forward' });
    expect(warnings).toEqual([
      expect.stringContaining('the disk is full'),
      expect.stringContaining('sent a result for a denied call'),
    ]);
  });

  it.each(faults)('passes where the user chose so: %s', async (_what, options) => {
    expect(await outcome(ALLOW, callOf('Bash'), { ...options, setup: { onError: 'allow' } })).toBe('forward');
  });

  it.each(faults)('passes where nothing is denied: %s', async (_what, options) => {
    expect(await outcome(ALLOW, callOf('Bash'), { ...options, setup: { isObserving: true } })).toBe('forward');
  });

  it('waits for a store that is taken, but not for ever', async () => {
    let tries = 0;
    const { gate, records } = createModelGate(ALLOW, { sink: { begin: () => ++tries > 3 } });
    expect((await judge(gate, callOf('Bash'))).kind).toBe('forward');
    expect(records).toHaveLength(1);
    let now = 0;
    const clock = { now: () => 0, elapsed: () => (now += 100_000) };
    const taken = createModelGate(ALLOW, { sink: { begin: () => false }, ports: { clock } });
    expect((await judge(taken.gate, callOf('Bash'))).kind).toBe('reply');
    expect(taken.warnings).toMatchObject([expect.stringContaining('other processes')]);
  });
});

it('only watches where it is told to', async () => {
  const { gate, records } = createModelGate(ALLOW + denyNative('Bash'), { setup: { isObserving: true } });
  expect(gate.nameVerdict(callOf('Bash', undefined), CLAUDE)).toBe('allow');
  expect(await judge(gate, callOf('Bash'))).toEqual({ kind: 'forward' });
  expect(records).toMatchObject([{ isObserved: true, decision: { action: 'deny' } }]);
});
