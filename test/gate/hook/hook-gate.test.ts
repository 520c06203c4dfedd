import { describe, expect, it } from 'vitest';
import { HookGate } from '../../../src/gate/hook/hook-gate.ts';
import type { ModelRequest } from '../../../src/gate/model/call-targets.ts';
import type { GateSetup, Ports } from '../../../src/gate/ports/ports.ts';
import type { Answer } from '../../../src/gate/ports/approval-port.ts';
import type { CallRecord } from '../../../src/gate/ports/records.ts';
import { Rounds } from '../../../src/gate/rounds.ts';
import { codex } from '../../../src/protocol/hooks/terminal-agents.ts';
import { claudeCode } from '../../../src/protocol/hooks/claude-code.ts';
import type { HookCall } from '../../../src/protocol/hooks/hook-client.ts';
import { claudeCode as claudeStyle } from '../../../src/protocol/llm/tool-names/claude-code.ts';
import { codex as codexStyle } from '../../../src/protocol/llm/tool-names/codex.ts';
import { readHookCall } from '../../../src/protocol/hooks/read-hook-call.ts';
import { createTestGate, testSetup, toolCall } from '../../support/gate.ts';
import { knowing } from '../../support/knowing.ts';
import { ALLOW, createModelGate } from '../../support/llm-route.ts';
import { MemorySeenCalls } from '../../support/memory-seen-calls.ts';
import { createTestSink } from '../../support/sink.ts';

const NEVER = new AbortController().signal;
const ID = 'toolu_01A09q90qw90lq917835lq9';

interface TestHook {
  readonly gate: HookGate;
  readonly records: readonly CallRecord[];
  readonly warnings: readonly string[];
}

function createHook(policy: string, ports: Partial<Ports> = {}, others: Partial<GateSetup> = {}): TestHook {
  const { sink, calls: records } = createTestSink();
  const warnings: string[] = [];
  const setup = testSetup(policy, { sink, warn: (line) => warnings.push(line), ...ports }, others);
  return { gate: new HookGate(setup), records, warnings };
}

function asked(tool: string, input: object, more: object = {}): HookCall {
  const payload = { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: ID, cwd: '/home/u', ...more };
  return readHookCall(JSON.stringify(payload), claudeCode);
}

const RULE = (action: string, server: string, tool: string, more = '') =>
  `\n[[rule]]\naction = "${action}"\nserver = "${server}"\ntool = "${tool}"\n${more}`;

describe("a call of the agent's own tool", () => {
  it('is decided by native rules, with its arguments, and is on record', async () => {
    const { gate, records } = createHook(ALLOW + RULE('deny', 'native', 'Bash', 'args.command = "**shadow**"'));
    expect(await gate.judge(asked('Bash', { command: 'ls' }), claudeCode, NEVER)).toBeUndefined();
    expect(await gate.judge(asked('Bash', { command: 'cat /etc/shadow' }), claudeCode, NEVER)).toMatch(
      /^clawai denied the tool call "Bash" \(rule .*argument "command"\)\./,
    );
    expect(records).toMatchObject([
      {
        call: { server: 'native', origin: 'native', tool: 'Bash', args: { command: 'ls' } },
        decision: { action: 'allow' },
        intercepted: { dialect: 'hook/claude-code', id: ID, name: 'Bash', runBy: 'client' },
      },
      { decision: { action: 'deny', reason: 'rule' } },
    ]);
  });

  it("falls to the policy's default for native tools where nobody knows it", async () => {
    const { gate, records } = createHook('[defaults]\naction = "allow"\nnative = "deny"\n' + RULE('allow', 'native', 'Read'));
    expect(await gate.judge(asked('BrandNewTool', { x: 1 }), claudeCode, NEVER)).toContain('denied');
    expect(await gate.judge(asked('Read', { file_path: '/a' }), claudeCode, NEVER)).toBeUndefined();
    expect(records).toMatchObject([{ call: { server: 'native', tool: 'BrandNewTool' }, decision: { reason: 'default' } }, {}]);
  });

  it('is also meant by rules about its former names', async () => {
    const { gate } = createHook(ALLOW + RULE('deny', 'native', 'Task'));
    expect(await gate.judge(asked('Agent', { prompt: 'p' }), claudeCode, NEVER)).toContain('denied');
  });

  it.each([
    ['exec_command', 'args.cmd = "**shadow**"'],
    ['Bash', 'args.command = "**shadow**"'],
  ])('of Codex is meant by rules about the name that its model uses, and about its hook: %s', async (tool, args) => {
    const { gate } = createHook(ALLOW + RULE('deny', 'native', tool, args));
    const payload = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 'call_1' };
    const call = (command: string): HookCall => readHookCall(JSON.stringify({ ...payload, tool_input: { command } }), codex);
    expect(await gate.judge(call('cat /etc/shadow'), codex, NEVER)).toContain('denied');
    expect(await gate.judge(call('ls'), codex, NEVER)).toBeUndefined();
  });

  it('has the paths of its patch checked', async () => {
    const { gate } = createHook(ALLOW + RULE('deny', 'native', '**', 'args."**" = "**/secret/**"'));
    const patch = '*** Begin Patch\n*** Add File: /home/u/secret/a\n+x\n*** End Patch\n';
    const text = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'apply_patch', tool_input: { command: patch } });
    expect(await gate.judge(readHookCall(text, codex), codex, NEVER)).toContain('denied');
  });

  it('is denied where its arguments can be read in two ways', async () => {
    const { gate, records } = createHook(ALLOW);
    const text = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm"}}`;
    expect(await gate.judge(readHookCall(text, claudeCode), claudeCode, NEVER)).toContain('read in two ways');
    expect(records).toMatchObject([{ decision: { reason: 'unreadable_arguments' } }]);
  });

  it('resolves relative paths where the client is', async () => {
    const paths = { home: '/home/u', cwd: '/home/u/deep', platform: 'posix', remote: false, roots: [] } as const;
    const { gate } = createHook(ALLOW + RULE('deny', 'native', 'Read', 'args.file_path = "/home/u/deep/x"'), {}, { paths });
    expect(await gate.judge(asked('Read', { file_path: 'x' }), claudeCode, NEVER)).toContain('denied');
  });
});

describe('what fails', () => {
  it.each([
    [
      'that cannot be begun',
      {
        begin: () => {
          throw new Error('disk full');
        },
      },
    ],
    [
      'that is lost',
      {
        commit: () => {
          throw new Error('disk full');
        },
      },
    ],
  ])('is a record %s: the call is denied', async (_what, broken) => {
    const stored = createTestSink();
    const { gate } = createHook(ALLOW, { sink: { ...stored.sink, ...broken } });
    expect(await gate.judge(asked('Read', { file_path: '/a' }), claudeCode, NEVER)).toMatch(/^clawai denied/);
  });

  it('passes where the config says so', async () => {
    const stored = createTestSink();
    const sink = {
      ...stored.sink,
      begin: () => {
        throw new Error('disk full');
      },
    };
    for (const more of [{ onError: 'allow' }, { isObserving: true }] as const) {
      const { gate } = createHook(ALLOW, { sink }, more);
      expect(await gate.judge(asked('Read', { file_path: '/a' }), claudeCode, NEVER)).toBeUndefined();
    }
  });

  it('rejects where the gate itself is broken', async () => {
    const registry = { ...knowing({}), tools: undefined } as unknown as Ports['registry'];
    const session = (): string => {
      throw new Error('a bug');
    };
    const { gate } = createHook(ALLOW, { registry, session });
    const why = await gate
      .judge(asked('Read', { file_path: '/a' }), claudeCode, NEVER)
      .catch((error: unknown) => `threw ${String(error)}`);
    expect(why).toMatch(/^threw|^clawai denied/);
  });

  it('is only watched where clawai observes', async () => {
    const { gate, records } = createHook(ALLOW + RULE('deny', 'native', 'Bash'), {}, { isObserving: true });
    expect(await gate.judge(asked('Bash', { command: 'ls' }), claudeCode, NEVER)).toBeUndefined();
    expect(records).toMatchObject([{ decision: { action: 'deny' }, isObserved: true }]);
  });
});

/** Answers all questions, and counts them. */
function answering(answer: Answer | Answer['approval']): { readonly ask: Ports['approver']['ask']; count: number } {
  const approver = { count: 0, ask: async () => (approver.count++, answer) };
  return approver;
}

describe('a person', () => {
  const POLICY = ALLOW + RULE('prompt', 'native', 'Bash') + RULE('prompt', 'files', 'read');

  it('who says yes lets the call go on, and one who says no does not', async () => {
    const yes = createHook(POLICY, { approver: answering('granted') });
    expect(await yes.gate.judge(asked('Bash', { command: 'ls' }), claudeCode, NEVER)).toBeUndefined();
    const no = createHook(POLICY, { approver: answering('refused') });
    expect(await no.gate.judge(asked('Bash', { command: 'ls' }), claudeCode, NEVER)).toContain('refused');
  });

  it('who is not waited for any more has not said yes', async () => {
    const leaving = new AbortController();
    const ask = (_call: unknown, _decision: unknown, withdrawn: AbortSignal): Promise<'withdrawn'> =>
      new Promise((resolve) => withdrawn.addEventListener('abort', () => resolve('withdrawn')));
    const { gate, records } = createHook(POLICY, { approver: { ask } });
    const judged = gate.judge(asked('Bash', { command: 'ls' }), claudeCode, leaving.signal);
    leaving.abort();
    expect(await judged).toContain('withdrawn');
    expect(records).toMatchObject([{ asked: 'withdrawn' }]);
  });
});

describe('a call is decided once over all planes', () => {
  const registry = knowing({ files: ['read'] });
  const POLICY =
    ALLOW + RULE('prompt', 'native', 'Bash') + RULE('prompt', 'native', 'exec_command') + RULE('prompt', 'files', 'read');
  const CLAUDE: ModelRequest = { dialect: 'anthropic', id: 'r.1', client: claudeStyle, tools: new Map() };
  const CODEX: ModelRequest = { ...CLAUDE, dialect: 'openai', client: codexStyle };

  async function seenByModel(name: string, args: object, ports: Partial<Ports>, request = CLAUDE, id = ID): Promise<string> {
    const { gate } = createModelGate(POLICY, { ports });
    const call = {
      id,
      name,
      group: undefined,
      args: JSON.stringify(args),
      problem: undefined,
      runBy: 'client',
      server: undefined,
    } as const;
    const rounds = new Rounds();
    const judged = rounds.judge(gate, () => gate.judge(call, request, NEVER));
    return (judged.kind === 'late' ? await judged.verdict : judged).kind;
  }

  it.each([
    ['Claude Code', 'Bash', { command: 'ls' }, CLAUDE, asked('Bash', { command: 'ls' })],
    [
      'Codex, whose model and hook have other words for it',
      'exec_command',
      { cmd: 'ls', yield_time_ms: 3 },
      CODEX,
      readHookCall(
        JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: ID }),
        codex,
      ),
    ],
  ] as const)('of %s, by its id', async (_whose, name, args, request, call) => {
    const approver = answering({ approval: 'granted', id: 'Q', by: 'me', remember: 'once' });
    const seenCalls = new MemorySeenCalls();
    const ports = { approver, registry, seenCalls: () => seenCalls };
    expect(await seenByModel(name, args, ports, request)).toBe('forward');
    expect(approver.count).toBe(1);
    const { gate, records } = createHook(POLICY, ports);
    const client = request === CODEX ? codex : claudeCode;
    expect(await gate.judge(call, client, NEVER)).toBeUndefined();
    expect(records).toMatchObject([{ firstSeenAs: expect.any(String) }]);
    expect(approver.count).toBe(1);
    expect(seenCalls.left).toEqual([]);
  });

  it.each([
    ['another command', asked('Bash', { command: 'rm -r x' })],
    ['one argument more', asked('Bash', { command: 'ls', run_in_background: true })],
    ['another tool', asked('Write', { command: 'ls' })],
  ])('but not by its id alone, if the client makes %s', async (_what, call) => {
    const approver = answering('granted');
    const seenCalls = new MemorySeenCalls();
    const ports = { approver, registry, seenCalls: () => seenCalls };
    await seenByModel('Bash', { command: 'ls' }, ports);
    const { gate, records } = createHook(POLICY + RULE('prompt', 'native', 'Write'), ports);
    await gate.judge(call, claudeCode, NEVER);
    expect(records[0]?.firstSeenAs).toBeUndefined();
    expect(approver.count).toBe(2);
  });

  it.each([
    ['exec_command', { cmd: 'ls' }, 'Bash', { command: 'rm -r x' }],
    ['apply_patch', { input: '*** Begin Patch\n*** End Patch' }, 'apply_patch', { command: 'x' }],
  ])('nor one of Codex: %s', async (name, args, tool, input) => {
    const approver = answering('granted');
    const seenCalls = new MemorySeenCalls();
    const ports = { approver, registry, seenCalls: () => seenCalls };
    const policy = POLICY + RULE('prompt', 'native', 'apply_patch');
    await seenByModel(name, args, ports, CODEX);
    const { gate, records } = createHook(policy, ports);
    const text = JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id: ID });
    await gate.judge(readHookCall(text, codex), codex, NEVER);
    expect(records[0]?.firstSeenAs).toBeUndefined();
    expect(records[0]?.asked).toBe('granted');
    expect(records[0]?.answer?.isEarlier).toBeUndefined();
  });

  it('by its arguments, if two calls have one id', async () => {
    const approver = answering('granted');
    const seenCalls = new MemorySeenCalls();
    const ports = { approver, registry, seenCalls: () => seenCalls };
    await seenByModel('Bash', { command: 'ls' }, ports);
    await seenByModel('Bash', { command: 'ls -a' }, ports);
    const { gate, records } = createHook(POLICY, ports);
    await gate.judge(asked('Bash', { command: 'ls -a' }), claudeCode, NEVER);
    await gate.judge(asked('Bash', { command: 'ls -a' }), claudeCode, NEVER);
    expect(records.map(({ firstSeenAs }) => firstSeenAs !== undefined)).toEqual([true, false]);
    expect(approver.count).toBe(3);
  });

  it('by its arguments where clients tell no id', async () => {
    const approver = answering('granted');
    const seenCalls = new MemorySeenCalls();
    const ports = { approver, registry, seenCalls: () => seenCalls };
    await seenByModel('Bash', { command: 'ls' }, ports, CLAUDE, '');
    const { gate, records } = createHook(POLICY, ports);
    const call = { ...asked('Bash', { command: 'ls' }), id: '' };
    expect(await gate.judge(call, claudeCode, NEVER)).toBeUndefined();
    expect(records).toMatchObject([{ firstSeenAs: expect.any(String) }]);
    expect(approver.count).toBe(1);
    await gate.judge(call, claudeCode, NEVER);
    expect(approver.count).toBe(2);
  });

  it.each([
    ['with an id', ID],
    ['without one', ''],
  ])('at its hook and at its server, %s', async (_how, id) => {
    const approver = answering({ approval: 'granted', id: 'Q', by: 'me', remember: 'once' });
    const seenCalls = new MemorySeenCalls();
    const ports = { approver, registry, seenCalls: () => seenCalls };
    const { gate, records } = createHook(POLICY, ports);
    expect(await gate.judge({ ...asked('mcp__files__read', { path: 'a' }), id }, claudeCode, NEVER)).toBeUndefined();
    expect(records).toMatchObject([{ call: { server: 'files', tool: 'read' } }]);
    const server = createTestGate(POLICY, ports);
    const meta = id === '' ? {} : { 'claudecode/toolUseId': id };
    await server.client(toolCall('read', { path: 'a' }, { meta }));
    expect(server.records).toMatchObject([{ decision: { action: 'prompt' }, asked: 'granted', firstSeenAs: records[0]?.id }]);
    expect(approver.count).toBe(1);
    // Another call of the same is another one.
    await server.client(toolCall('read', { path: 'a' }, { id: 2, meta }));
    expect(approver.count).toBe(2);
  });

  it('and a second call like the first is not taken for it at the hook', async () => {
    const approver = answering('granted');
    const seenCalls = new MemorySeenCalls();
    const { gate } = createHook(POLICY, { approver, registry, seenCalls: () => seenCalls });
    const call = { ...asked('mcp__files__read', { path: 'a' }), id: '' };
    await gate.judge(call, claudeCode, NEVER);
    await gate.judge(call, claudeCode, NEVER);
    expect(approver.count).toBe(2);
  });

  it('a call of a server that is not behind clawai spends its tokens here', async () => {
    const limits = '[rate_limits]\nenabled = true\n[rate_limits.server.other]\nrpm = 60\nburst = 2\n';
    const { gate, records } = createHook(ALLOW + limits);
    for (let i = 0; i < 3; i++) await gate.judge(asked('mcp__other__read', { path: `${i}` }), claudeCode, NEVER);
    expect(records.map(({ decision }) => decision.reason)).toEqual(['default', 'default', 'rate_limit']);
  });

  it("a server's call spends its tokens at the server only", async () => {
    const limits = '[rate_limits]\nenabled = true\n[rate_limits.server.files]\nrpm = 60\nburst = 1\n';
    const { gate, records } = createHook(ALLOW + limits, { registry });
    for (let i = 0; i < 3; i++) await gate.judge(asked('mcp__files__read', { path: `${i}` }), claudeCode, NEVER);
    expect(records.map(({ decision }) => decision.action)).toEqual(['allow', 'allow', 'allow']);
  });
});
