import { describe, expect, it } from 'vitest';
import type { SessionFacts } from '../../src/core/flow/window.ts';
import type { Category } from '../../src/core/registry/category.ts';
import type { GateSetup } from '../../src/gate/ports.ts';
import { Recorder } from '../../src/gate/recorder.ts';
import { SessionView } from '../../src/gate/session-view.ts';
import { testSetup } from '../support/gate.ts';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { MemorySessionLog } from '../support/memory-session-log.ts';
import { sighted } from '../support/registered.ts';
import { createTestSink, type TestSink } from '../support/sink.ts';

/** A process of a session, with a server of its own. */
class Process {
  readonly sink: TestSink;
  readonly recorder: Recorder;
  readonly view: SessionView;
  #records = 0;

  constructor(server: string, shared: Shared, parts: Parameters<typeof createTestSink>[0] = {}) {
    this.sink = createTestSink(parts);
    const setup: GateSetup = testSetup(
      '',
      {
        sink: this.sink.sink,
        sessionLog: shared.log,
        registry: shared.registry,
        clock: { now: () => shared.now, elapsed: () => 0 },
        session: () => shared.session,
        followSession: (find) => {
          shared.session = find('s');
        },
      },
      { server },
    );
    this.recorder = new Recorder(setup.ports);
    this.view = new SessionView(setup, this.recorder);
    this.server = server;
  }

  readonly server: string;

  within<T>(work: () => T): T {
    this.recorder.open();
    const result = work();
    this.recorder.close();
    return result;
  }

  call(tool: string, categories: readonly Category[], isForwarded = true): void {
    const call = { method: 'tools/call', server: this.server, tool };
    this.within(() => this.noteOnly(call, categories, isForwarded));
  }

  noteOnly(call: { method: string; server: string; tool: string }, categories: readonly Category[], isForwarded: boolean): void {
    const id = `${this.server}.${++this.#records}`;
    this.view.note({ call, id, time: this.now(), categories, isForwarded, flow: [], action: undefined });
  }

  now = (): number => 0;

  facts(tool = 't'): SessionFacts {
    const facts = this.within(() => this.view.facts({ method: 'tools/call', server: this.server, tool }));
    if (facts === undefined) throw new Error('nothing can flow in it');
    return facts;
  }
}

interface Shared {
  readonly log: MemorySessionLog;
  readonly registry: MemoryRegistry;
  now: number;
  session: string;
}

function sharing(): Shared {
  return { log: new MemorySessionLog(), registry: new MemoryRegistry(), now: 1_000_000, session: 's' };
}

function processes(...servers: readonly string[]): { all: Process[]; session: Shared } {
  const session = sharing();
  const all = servers.map((server) => {
    const one = new Process(server, session);
    one.now = () => session.now;
    one.within(() => one.view.join());
    return one;
  });
  return { all, session };
}

describe('SessionView', () => {
  it('sees what other processes of the session have done, and what they take back', () => {
    const { all, session } = processes('a', 'b');
    const [a, b] = all as [Process, Process];
    a.call('read_it', ['read']);
    expect(b.facts().calls).toMatchObject([{ id: 'a.1', server: 'a', subject: 'read_it', categories: ['read'] }]);
    expect(b.facts().servers).toBe(2);
    b.call('send_it', ['send'], false);
    // What was denied gave nothing.
    expect(a.facts().calls.map(({ id }) => id)).toEqual(['a.1']);
    b.call('send_more', ['send']);
    session.log.retract('s', 'a.1');
    expect(b.facts().calls.map(({ id }) => id)).toEqual(['b.2']);
  });

  it('activation: what one server gave before the second came is noted when it comes', () => {
    const { all, session } = processes('a');
    const [a] = all as [Process];
    const early = {
      id: 'a.9',
      time: session.now - 5000,
      server: 'a',
      method: 'tools/call',
      subject: 'read_it',
      categories: ['read'],
    } as const;
    session.log.events = [{ ...early, turn: undefined, isForwarded: true }];
    const b = new Process('b', session);
    b.now = () => session.now;
    b.within(() => b.view.join());
    expect(b.facts().calls).toMatchObject([{ id: 'a.9', subject: 'read_it' }]);
    expect(a.facts().calls).toHaveLength(1);
    expect(b.facts().calls).toHaveLength(1);
  });

  it('inactive: knows and notes nothing while there is one server', () => {
    const { all, session } = processes('a');
    const [a] = all as [Process];
    a.call('read_it', ['read']);
    expect(() => a.facts()).toThrow('nothing can flow in it');
    expect(session.log.entries('s', 0, 10)).toEqual([]);
  });

  it('reads all again after a transaction that was lost', () => {
    const session = sharing();
    let isFull = false;
    const one = new Process('a', session, {
      commit: () => {
        if (isFull) throw new Error('the disk is full');
      },
    });
    one.now = () => session.now;
    session.log.addServer('s', 'another');
    one.call('first', ['read']);
    isFull = true;
    one.call('second', ['read']);
    isFull = false;
    const calls = one.facts().calls.map(({ subject }) => subject);
    // The log in memory does not take it back; the point is that nothing is there twice and nothing is missing.
    expect(calls).toEqual(session.log.entries('s', 0, 10).map((entry) => (entry.kind === 'call' ? entry.call.subject : '')));
  });

  it('begins anew after half an hour of nothing', () => {
    const { all, session } = processes('a', 'b');
    const [a, b] = all as [Process, Process];
    a.call('read_it', ['read']);
    session.now += 31 * 60_000;
    expect(() => b.facts()).toThrow('nothing can flow in it');
    expect(session.session).toBe('s.2');
    expect(a.facts()).toMatchObject({ calls: [], servers: 2 });
    expect(b.facts().servers).toBe(2);
  });

  it('hazard 41: the first server that had a tool keeps its name, and only those of the session count', () => {
    const { all, session } = processes('a', 'b');
    const [a, b] = all as [Process, Process];
    session.registry.write('stranger', [sighted('search', 'x', { isPinned: true })]);
    session.registry.write('a', [sighted('search', 'y', { isPinned: true })]);
    session.registry.write('b', [sighted('search', 'z', { isPinned: true })]);
    expect(b.facts('search').shadowed).toBe('a');
    expect(a.facts('search').shadowed).toBeUndefined();
    expect(b.facts('other').shadowed).toBeUndefined();
  });

  it('a clock that is set back does not make it forget, nor stop', () => {
    const { all, session } = processes('a', 'b');
    const [a, b] = all as [Process, Process];
    a.call('read_it', ['read']);
    session.now -= 3_600_000;
    const facts = b.facts();
    expect(facts.calls).toHaveLength(1);
    expect(facts.calls[0]?.time).toBeLessThanOrEqual(facts.now);
  });
});
