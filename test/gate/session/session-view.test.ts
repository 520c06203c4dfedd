import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lazySessionLog } from '../../../src/audit/lazy-stores.ts';
import { SharedSink } from '../../../src/audit/shared-sink.ts';
import type { SessionFacts } from '../../../src/core/facts.ts';
import type { Category } from '../../../src/core/call.ts';
import type { GateSetup, Sink } from '../../../src/gate/ports/ports.ts';
import { Recorder } from '../../../src/gate/recorder.ts';
import type { SessionMemories } from '../../../src/gate/session/session-memory.ts';
import type { SessionLog } from '../../../src/gate/ports/session-port.ts';
import { SessionView } from '../../../src/gate/session/session-view.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { testSetup } from '../../support/gate.ts';
import { MemoryRegistry } from '../../support/memory-registry.ts';
import { memoriesOf } from '../../support/memory-session-log.ts';
import { sighted } from '../../support/registered.ts';
import { createTestSink } from '../../support/sink.ts';

const folder = mkdtempSync(join(tmpdir(), 'clawai-view-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let stores = 0;

/** The store as one process has it. No double: which of its own writes a process sees, and which it must remember, is the point. */
class ProcessStore {
  readonly store: SqliteStore;
  readonly sessionLog: SessionLog;
  readonly memories: () => SessionMemories;
  readonly #shared: SharedSink;
  isFull = false;

  constructor(file: string) {
    this.store = new SqliteStore({ file, writerVersion: 'test', sync: 'normal' });
    const sink = createTestSink({
      begin: () => this.store.begin(),
      commit: () => {
        if (this.isFull) throw new Error('the disk is full');
        this.store.commit();
      },
      rollback: () => this.store.rollback(),
    });
    this.#shared = new SharedSink(sink.sink);
    this.sessionLog = lazySessionLog((work) => this.#shared.within(() => this.store.inSessions(work)));
    this.memories = memoriesOf(this.sessionLog);
  }

  forConnection(): Sink {
    return this.#shared.forConnection();
  }
}

/** A connection of a session to a server; in a process of its own where nothing else is said. */
class Process {
  readonly recorder: Recorder;
  readonly view: SessionView;
  readonly store: ProcessStore;
  #records = 0;

  constructor(server: string, shared: Shared, store = new ProcessStore(shared.file)) {
    this.store = store;
    this.now = () => shared.now;
    const setup: GateSetup = testSetup(
      '',
      {
        sink: store.forConnection(),
        sessionLog: store.sessionLog,
        memories: store.memories,
        registry: shared.registry,
        clock: { now: () => shared.now, elapsed: () => 0 },
        session: () => shared.session,
        followSession: (find) => {
          shared.session = find('s');
          return undefined;
        },
      },
      { server },
    );
    this.recorder = new Recorder(setup.ports);
    this.view = new SessionView(setup);
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
    this.view.note({ call, id, time: this.now(), categories, isForwarded, flow: [], action: undefined, secrets: [] });
  }

  readonly now: () => number;

  /** What was called so far. */
  subjects(): string[] {
    return this.facts().calls.map(({ subject }) => subject);
  }

  facts(tool = 't'): SessionFacts {
    const facts = this.within(() => this.view.facts({ method: 'tools/call', server: this.server, tool }));
    if (facts === undefined) throw new Error('nothing can flow in it');
    return facts;
  }
}

interface Shared {
  readonly file: string;
  /** The log as another process has it. */
  readonly log: <T>(work: (log: SessionLog) => T) => T;
  readonly registry: MemoryRegistry;
  now: number;
  session: string;
}

function sharing(): Shared {
  const file = join(folder, `${++stores}.db`);
  const another = new ProcessStore(file);
  const log = <T>(work: (log: SessionLog) => T): T => {
    another.store.begin();
    const result = another.store.inSessions(work);
    another.store.commit();
    return result;
  };
  return { file, log, registry: new MemoryRegistry(), now: 1_000_000, session: 's' };
}

function processes(...servers: readonly string[]): { all: Process[]; session: Shared } {
  const session = sharing();
  const all = servers.map((server) => {
    const one = new Process(server, session);
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
    session.log((log) => log.retract('s', 'a.1', session.now));
    expect(b.facts().calls.map(({ id }) => id)).toEqual(['b.2']);
  });

  it('activation: what one server gave before the second came is noted when it comes', () => {
    const { all, session } = processes('a');
    const [a] = all as [Process];
    const body = { id: 'a.9', server_id: 'a', method: 'tools/call', tool_name: 'read_it', category: 'read' };
    const event = { type: 'mcp_tool_called', time: session.now - 5000, session: 's', server: 'a', action: 'allow' } as const;
    a.within(() => a.store.store.append({ ...event, body: JSON.stringify(body) }));
    const b = new Process('b', session);
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
    expect(session.log((log) => log.entries('s', 0, 10))).toEqual([]);
  });

  it.each(['in one process', 'in processes of their own'])('nothing stays of a transaction that was lost, %s', (where) => {
    const session = sharing();
    const one = new Process('a', session);
    const other = new Process('b', session, where === 'in one process' ? one.store : undefined);
    for (const each of [one, other]) each.within(() => each.view.join());
    one.call('first', ['read']);
    one.store.isFull = true;
    one.recorder.open();
    one.noteOnly({ method: 'tools/call', server: 'a', tool: 'lost' }, ['read'], true);
    if (where === 'in one process') expect(other.subjects()).toEqual(['first', 'lost']);
    one.recorder.close();
    one.store.isFull = false;
    expect(one.subjects()).toEqual(['first']);
    expect(other.subjects()).toEqual(['first']);
    other.call('second', ['read']);
    expect(one.subjects()).toEqual(['first', 'second']);
    expect(session.log((log) => log.entries('s', 0, 10))).toHaveLength(2);
  });

  it('hazard 54: connections of one process see what the others have done, each from when it did it', () => {
    const session = sharing();
    const first = new Process('a', session);
    const [second, third] = [new Process('b', session, first.store), new Process('a', session, first.store)];
    for (const each of [first, second, third]) each.within(() => each.view.join());
    for (const each of [first, second, third]) expect(each.subjects()).toEqual([]);
    for (const each of [first, second, third]) each.call(`by ${each.server}`, ['read']);
    for (const each of [first, second, third]) expect(each.subjects()).toEqual(['by a', 'by b', 'by a']);
    // In one transaction, which none of them has ended yet.
    for (const each of [first, second, third]) each.recorder.open();
    first.noteOnly({ method: 'tools/call', server: 'a', tool: 'more' }, ['read'], true);
    const call = { method: 'tools/call', server: 'b', tool: 't' };
    expect(second.view.facts(call)?.calls.map(({ subject }) => subject)).toEqual(['by a', 'by b', 'by a', 'more']);
    second.view.takeBack('a.1');
    expect(third.view.facts({ ...call, server: 'a' })?.calls).toHaveLength(3);
    for (const each of [first, second, third]) each.recorder.close();
    // What another process adds comes to all of them.
    const other = new Process('c', session);
    other.call('elsewhere', ['read']);
    for (const each of [first, second, third]) expect(each.subjects().at(-1)).toBe('elsewhere');
    expect(first.facts().servers).toBe(3);
  });

  it('begins anew after half an hour of nothing, with the same servers, and all that a window may look back at', () => {
    const { all, session } = processes('a', 'b');
    const [a, b] = all as [Process, Process];
    a.call('read_it', ['read']);
    session.now += 31 * 60_000;
    expect(b.facts()).toMatchObject({ calls: [{ id: 'a.1' }], servers: 2 });
    expect(session.session).toBe('s.2');
    expect(a.facts()).toMatchObject({ calls: [{ id: 'a.1' }], servers: 2 });
    session.now += 31 * 60_000;
    expect(b.facts()).toMatchObject({ calls: [], servers: 2 });
    expect(session.session).toBe('s.3');
  });

  it('a call is as new as its answer, for others too and in the session that goes on, and a burst is counted by when calls were made', () => {
    const { all, session } = processes('a', 'b');
    const [a, b] = all as [Process, Process];
    const made = session.now;
    a.call('read_it', ['read']);
    session.now += 900;
    expect(a.view.isLate('a.1')).toBe(false);
    session.now += 60_000;
    b.call('update_it', ['write']);
    session.now += 60_000;
    expect(a.view.isLate('a.1')).toBe(true);
    a.within(() => a.view.noteAnswer('a.1'));
    expect(a.view.isLate('a.1')).toBe(false);
    for (const one of all)
      expect(one.facts().calls.map(({ id, time }) => [id, time])).toEqual([
        ['b.1', made + 60_900],
        ['a.1', session.now],
      ]);
    expect(a.facts().calls.at(-1)).toMatchObject({ made });
    // Nothing is noted of what was taken back.
    a.within(() => a.view.takeBack('a.1'));
    a.within(() => a.view.noteAnswer('a.1'));
    for (const one of all) expect(one.subjects()).toEqual(['update_it']);
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
