import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../src/core/match/compile.ts';
import type { PolicyChange } from '../../src/core/policy/types.ts';
import { NO_OWN_PATHS } from '../../src/core/self/own-paths.ts';
import { Connection } from '../../src/gate/connection.ts';
import { Interceptor } from '../../src/gate/interceptor.ts';
import type { GateSetup, PolicySource } from '../../src/gate/ports/ports.ts';
import { settled, toolCall } from '../support/gate.ts';
import { MemoryRegistry, NO_IDENTITY } from '../support/memory-registry.ts';
import { memoriesOf, MemoryBuckets, MemorySessionLog } from '../support/memory-session-log.ts';
import { policyFrom } from '../support/policy.ts';
import { createTestSink, type TestSink } from '../support/sink.ts';

const ALLOW = '[defaults]\naction = "allow"\n';

interface Changing {
  readonly gate: Interceptor;
  readonly setup: GateSetup;
  readonly sink: TestSink;
  /** What decides from now on. */
  become(toml: string, change?: PolicyChange): void;
  setKnown(isKnown: boolean): void;
  client(line: string): string;
  server(line: string): string;
}

function createChanging(toml: string): Changing {
  let compiled = compilePolicy(policyFrom(toml));
  let isKnown = true;
  let changes: readonly PolicyChange[] = [];
  const policy: PolicySource = {
    refresh: () => isKnown,
    current: () => compiled,
    takeChanges: () => {
      const taken = changes;
      changes = [];
      return taken;
    },
  };
  const sink = createTestSink();
  const setup: GateSetup = {
    server: 's',
    policy,
    identity: () => NO_IDENTITY,
    own: () => NO_OWN_PATHS,
    isObserving: false,
    onError: 'deny',
    paths: { home: '/home/u', cwd: '/home/u', platform: 'posix', remote: false },
    ports: {
      clock: { now: () => 1000, elapsed: () => 5 },
      realPath: (path) => path,
      approver: { ask: () => Promise.resolve('unavailable') },
      sink: sink.sink,
      registry: new MemoryRegistry(),
      sessionLog: new MemorySessionLog(),
      buckets: new MemoryBuckets(),
      memories: memoriesOf(new MemorySessionLog()),
      followSession: () => undefined,
      recordId: () => 'r',
      session: () => 'run',
      warn: () => {},
    },
  };
  const gate = new Interceptor(setup);
  const kindOf = (judgement: ReturnType<Interceptor['fromClient']>): string => {
    const verdict = settled(gate, judgement);
    return verdict instanceof Promise ? 'promise' : verdict.kind;
  };
  return {
    gate,
    setup,
    sink,
    become(text, change) {
      compiled = compilePolicy(policyFrom(text));
      if (change !== undefined) changes = [change];
    },
    setKnown: (known) => (isKnown = known),
    client: (line) => kindOf(gate.fromClient(Buffer.from(line), 0, Buffer.byteLength(line))),
    server: (line) => kindOf(gate.fromServer(Buffer.from(line), 0, Buffer.byteLength(line))),
  };
}

const message = (method: string, id?: number): string => JSON.stringify({ jsonrpc: '2.0', id, method });

describe('a policy that changes', () => {
  it('decides the next call', () => {
    const { client, become, sink } = createChanging(ALLOW);
    expect(client(toolCall('t', {}, { id: 1 }))).toBe('forward');
    become('');
    expect(client(toolCall('t', {}, { id: 2 }))).toBe('reply');
    expect(new Set(sink.calls.map(({ decision }) => decision.policyHash)).size).toBe(2);
  });

  it('is followed in which methods it is about, of both sides', () => {
    const { client, server, become } = createChanging(ALLOW);
    expect([client(message('tools/list', 1)), server(message('roots/list', 1))]).toEqual(['forward', 'forward']);
    become(`${ALLOW}[[rule]]\naction = "deny"\nmethod = ["tools/list", "roots/list"]\n`);
    expect([client(message('tools/list', 2)), server(message('roots/list', 2))]).toEqual(['reply', 'reply']);
    become(ALLOW);
    expect([client(message('tools/list', 3)), server(message('roots/list', 3))]).toEqual(['forward', 'forward']);
  });

  it('lets wait what comes while it is not known, and decides it then', () => {
    const { client, server, become, setKnown, sink, gate } = createChanging(ALLOW);
    setKnown(false);
    expect([client(toolCall('t', {}, { id: 1 })), client(message('ping', 2)), server(message('ping', 3))]).toEqual([
      'busy',
      'busy',
      'busy',
    ]);
    // An answer decides nothing.
    expect(server('{"jsonrpc":"2.0","id":9,"result":{}}')).toBe('drop');
    expect(sink.calls).toEqual([]);
    expect(gate.report().fromClient).toBe(0);
    become('');
    setKnown(true);
    expect(client(toolCall('t', {}, { id: 1 }))).toBe('reply');
  });

  it('does not change in the middle of what is decided in one go', () => {
    const { setup, setKnown } = createChanging(ALLOW);
    const connection = new Connection(setup);
    expect(connection.recorder.open()).toBe(true);
    setKnown(false);
    expect(connection.refreshPolicy()).toBe(true);
    expect(connection.recorder.open()).toBe(true);
    connection.commit();
    expect([connection.refreshPolicy(), connection.recorder.open()]).toEqual([false, false]);
  });

  it('is on record', async () => {
    const { client, become, gate, sink } = createChanging(ALLOW);
    const change = { status: 'kept', source: 'user', file: 'p.toml', problem: 'p.toml:1:1: no', hash: 'h' } as const;
    become(ALLOW, change);
    client(toolCall('t', {}, { id: 1 }));
    await gate.finish();
    expect(sink.policies).toEqual([{ ...change, time: 1000, session: 'run', server: 's' }]);
  });

  it('that is not known when the connection ends keeps no event from being written', async () => {
    const { setKnown, gate, sink } = createChanging(ALLOW);
    setKnown(false);
    await gate.finish();
    expect(sink.summaries).toHaveLength(1);
  });

  it('that is gone denies, and the model is told what helps', () => {
    const { setup } = createChanging(ALLOW);
    const gone = compilePolicy(policyFrom(''), { isGone: true });
    const gate = new Interceptor({ ...setup, policy: { refresh: () => true, current: () => gone, takeChanges: () => [] } });
    const line = Buffer.from(toolCall('t'));
    const verdict = settled(gate, gate.fromClient(line, 0, line.length));
    expect(JSON.stringify(verdict)).toMatch(/policy is gone, so nothing is allowed.*clawai init.*policy_gone/s);
  });
});
