import { describe, expect, it } from 'vitest';
import type { Ports } from '../../../src/gate/ports/ports.ts';
import { Rounds } from '../../../src/gate/rounds.ts';
import type { DeniedCallMadeRecord } from '../../../src/gate/ports/seen-call-port.ts';
import { claudeCode } from '../../../src/protocol/llm/tool-names/claude-code.ts';
import { createTestGate, type Readable, type TestGate, toolCall } from '../../support/gate.ts';
import { createModelGate } from '../../support/llm-route.ts';
import { MemoryRegistry, NO_IDENTITY } from '../../support/memory-registry.ts';
import { MemorySeenCalls } from '../../support/memory-seen-calls.ts';
import { sighted } from '../../support/registered.ts';
import { createTestSink } from '../../support/sink.ts';

const ASKS = '[defaults]\naction = "allow"\n[[rule]]\nid = "ask"\naction = "prompt"\nserver = "files"\ntool = "write"\n';
const DENIES = ASKS.replace('"prompt"', '"deny"');
const ALLOWS = '[defaults]\naction = "allow"\n';
const NEVER = new AbortController().signal;
const MINUTE = 60_000;

/** Both paths of one session, whose person says yes, or what else is given. */
class Session {
  readonly seenCalls = new MemorySeenCalls();
  readonly registry = new MemoryRegistry();
  /** Where a person was asked. */
  readonly asked: ('model' | 'server')[] = [];
  answer: 'granted' | 'refused' = 'granted';
  now = 1_700_000_000_000;
  readonly deniedMade: DeniedCallMadeRecord[] = [];
  #ids = 0;
  #requests = 0;

  constructor() {
    this.registry.writeServer('files', NO_IDENTITY, { isPinned: true });
    this.registry.write('files', [sighted('write', 'a', { isPinned: true })]);
  }

  ports(where: 'model' | 'server', session: string): Partial<Ports> {
    return {
      approver: {
        ask: () => {
          this.asked.push(where);
          return Promise.resolve({ approval: this.answer, id: `Q${this.asked.length}`, by: 'me', remember: 'once' });
        },
      },
      clock: { now: () => this.now, elapsed: () => 0 },
      registry: this.registry,
      recordId: () => `${where}.${++this.#ids}`,
      session: () => session,
      seenCalls: () => this.seenCalls,
    };
  }

  /** The model says a call. */
  async says(args: object, { id = 'toolu_1', policy = ASKS, session = 's', isObserving = false } = {}): Promise<string> {
    const { gate, records } = createModelGate(policy, { ports: this.ports('model', session), setup: { isObserving } });
    const call = { id, name: 'mcp__files__write', args: JSON.stringify(args), runBy: 'client', problem: undefined } as const;
    const request = { dialect: 'anthropic', id: 'q.1', client: claudeCode, tools: new Map() };
    const judged = new Rounds().judge(gate, () => gate.judge({ ...call, group: undefined, server: undefined }, request, NEVER));
    const { kind } = judged.kind === 'late' ? await judged.verdict : judged;
    return `${kind} ${records.map((record) => record.id).join(' ')}`;
  }

  gate(policy = ASKS, session = 's', isObserving = false): TestGate {
    const { sink, calls, deniedMade } = createTestSink();
    const made = createTestGate(policy, { ...this.ports('server', session), sink }, isObserving);
    const gate = { ...made, records: calls };
    const commit = sink.commit.bind(sink);
    sink.commit = () => {
      commit();
      this.deniedMade.push(...deniedMade.splice(0));
    };
    return gate;
  }

  /** The agent makes it. */
  makes(args: object | undefined, meta?: object, gate = this.gate()): Promise<Readable> {
    return gate.client(toolCall('write', args, { meta, id: ++this.#requests }));
  }
}

const named = (id: string): object => ({ 'claudecode/toolUseId': id, progressToken: 1 });

describe('a call that was seen in the answer of the model', () => {
  it.each([
    ['with its id', named('toolu_1')],
    ['without', undefined],
    ['with what the modern protocol has every request carry', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
  ])('is asked about once, and both are on record: %s', async (_how, meta) => {
    const session = new Session();
    const gate = session.gate();
    expect(await session.says({ path: 'a', n: 1 })).toBe('forward model.1');
    expect(await session.makes({ n: 1, path: 'a' }, meta, gate)).toBe('forward');
    expect(session.asked).toEqual(['model']);
    expect(gate.records).toMatchObject([
      {
        firstSeenAs: 'model.1',
        asked: 'granted',
        answer: { id: 'Q1', by: 'me', isEarlier: true },
        decision: { action: 'prompt' },
      },
    ]);
    expect(session.seenCalls.left).toEqual([]);
  });

  it('is the same in another session where its id is one that no other call has', async () => {
    const session = new Session();
    const id = 'toolu_01A09q90qw90lq917835lq9';
    await session.says({ path: 'a' }, { id });
    const gate = session.gate(ASKS, 'of another URL');
    await session.makes({ path: 'b' }, named(id), gate);
    await session.makes({ path: 'a' }, named(id), gate);
    expect(gate.records.map(({ firstSeenAs }) => firstSeenAs)).toEqual([undefined, 'model.1']);
    expect(gate.records.at(-1)).toMatchObject({ session: 'of another URL' });
    expect(session.asked).toEqual(['model', 'server']);
    expect(session.seenCalls.left).toEqual([]);
  });

  it('hazard 9: is asked about again when it is made again', async () => {
    const session = new Session();
    await session.says({ path: 'a' });
    await session.makes({ path: 'a' }, named('toolu_1'));
    await session.makes({ path: 'a' }, named('toolu_1'));
    await session.makes({ path: 'a' });
    expect(session.asked).toEqual(['model', 'server', 'server']);
  });

  it.each<[string, (session: Session) => Promise<Readable>]>([
    ['other arguments', (session) => session.makes({ path: 'b' }, named('toolu_1'))],
    ['more of them', (session) => session.makes({ path: 'a', to: 'b' }, named('toolu_1'))],
    ['another id', (session) => session.makes({ path: 'a' }, named('toolu_2'))],
    ['two ids', (session) => session.makes({ path: 'a' }, { ...named('toolu_1'), callId: 'call_1' })],
    ['what nobody has seen', (session) => session.makes({ path: 'a' }, { ...named('toolu_1'), as: 'root' })],
    ['another session', (session) => session.makes({ path: 'a' }, named('toolu_1'), session.gate(ASKS, 'other'))],
    ['another policy', (session) => session.makes({ path: 'a' }, named('toolu_1'), session.gate(`${ASKS}# edited`))],
  ])('hazard 9: is asked about where it is made with %s', async (_what, make) => {
    const session = new Session();
    await session.says({ path: 'a' });
    expect(await make(session)).toBe('forward');
    expect(session.asked).toEqual(['model', 'server']);
  });

  it('is denied where it is made under a policy that denies it by now, and allowed under one that allows it', async () => {
    const session = new Session();
    await session.says({ path: 'a' });
    expect(await session.makes({ path: 'a' }, named('toolu_1'), session.gate(DENIES))).toMatchObject({
      result: { isError: true },
    });
    await session.says({ path: 'a' });
    const gate = session.gate(ALLOWS);
    expect(await session.makes({ path: 'a' }, named('toolu_1'), gate)).toBe('forward');
    expect(gate.records).toMatchObject([{ firstSeenAs: 'model.3', asked: undefined }]);
    expect(session.asked).toEqual(['model', 'model']);
  });

  it('is asked about where it is made once its definition has changed', async () => {
    const session = new Session();
    const pinning = `${ASKS}[pinning]\non_change = "prompt"\n`;
    await session.says({ path: 'a' }, { policy: pinning });
    session.registry.write('files', [sighted('write', 'changed')]);
    await session.makes({ path: 'a' }, named('toolu_1'), session.gate(pinning));
    expect(session.asked).toEqual(['model', 'server']);
  });

  it('is asked about when it is made too long after', async () => {
    const session = new Session();
    await session.says({ path: 'a' });
    session.now += 11 * MINUTE;
    await session.makes({ path: 'a' });
    expect(session.asked).toEqual(['model', 'server']);
    await session.makes({ path: 'a' }, named('toolu_1'));
    expect(session.asked).toEqual(['model', 'server']);
  });

  it('where several are the same, is asked about as often as a person was not', async () => {
    const session = new Session();
    await session.says({ path: 'a' }, { id: 'toolu_1' });
    await session.says({ path: 'a' }, { id: 'toolu_2' });
    const gate = session.gate();
    for (let i = 0; i < 3; i++) await session.makes({ path: 'a' }, undefined, gate);
    expect(gate.records.map(({ firstSeenAs }) => firstSeenAs)).toEqual(['model.1', 'model.2', undefined]);
    expect(session.asked).toEqual(['model', 'model', 'server']);
  });

  it('and allowed without a question is known where it is made', async () => {
    const session = new Session();
    await session.says({}, { policy: ALLOWS });
    const gate = session.gate(ALLOWS);
    await session.makes(undefined, named('toolu_1'), gate);
    expect(gate.records).toMatchObject([{ firstSeenAs: 'model.1', asked: undefined, answer: undefined }]);
  });
});

describe('a call that was denied in the answer of the model', () => {
  it.each([
    ['by a rule', DENIES, 'granted'],
    ['by a person', ASKS, 'refused'],
  ] as const)('%s and is made is decided where it is made, and is an alarm, once', async (_by, policy, answer) => {
    const session = new Session();
    session.answer = answer;
    expect(await session.says({ path: 'a' }, { policy })).toBe('reply model.1');
    session.answer = 'granted';
    const gate = session.gate(policy.replace('"deny"', '"allow"'));
    await session.makes({ path: 'a' }, named('toolu_1'), gate);
    await session.makes({ path: 'a' }, named('toolu_1'), gate);
    expect(session.deniedMade).toMatchObject([
      { denied: 'model.1', record: gate.records[0]?.id, toolUseId: 'toolu_1', hasGoneOn: true, call: { tool: 'write' } },
    ]);
    expect(gate.records.map(({ firstSeenAs }) => firstSeenAs)).toEqual([undefined, undefined]);
    expect(gate.warnings).toEqual([expect.stringContaining('"files" that was denied')]);
  });

  it('hazard 29: is no alarm where it is not known to be that call', async () => {
    const session = new Session();
    await session.says({ path: 'a' }, { policy: DENIES });
    const gate = session.gate(DENIES);
    await session.makes({ path: 'a' }, undefined, gate);
    await session.makes({ path: 'a' }, named('toolu_2'), gate);
    await session.makes({ path: 'b' }, named('toolu_1'), gate);
    expect(session.deniedMade).toEqual([]);
  });

  it('only in words went on, and is the same call where it is made', async () => {
    const session = new Session();
    await session.says({ path: 'a' }, { policy: DENIES, isObserving: true });
    const gate = session.gate(DENIES, 's', true);
    await session.makes({ path: 'a' }, named('toolu_1'), gate);
    expect([gate.records[0]?.firstSeenAs, session.deniedMade]).toEqual(['model.1', []]);
  });
});

describe('what is no call of a tool', () => {
  it('is not looked for, nor is any call where none can have been seen', async () => {
    const session = new Session();
    const gate = session.gate(ALLOWS);
    await gate.client('{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a"}}');
    await gate.client('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    expect(session.seenCalls.asked).toBe(0);
    const alone = createTestGate(ASKS, { seenCalls: () => undefined });
    expect(await alone.client(toolCall('read', {}))).toBe('forward');
    await gate.client(toolCall('read', {}, { id: 3 }));
    // Once for what a model said, and once for what a hook was asked.
    expect(session.seenCalls.asked).toBe(2);
  });
});
