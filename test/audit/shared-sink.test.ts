import { describe, expect, it } from 'vitest';
import { SharedSink } from '../../src/audit/shared-sink.ts';
import type { AuditRecord } from '../../src/gate/ports/records.ts';
import type { Sink } from '../../src/gate/ports/ports.ts';
import { createTestSink } from '../support/sink.ts';

function record(problem: string): AuditRecord {
  return { type: 'connection', time: 1, session: 's', server: 'x', address: 'x:1', problem, expected: 'e', found: 'f' };
}

/** A shared sink over one that notes what it is told. */
function share(parts: Partial<Sink> = {}): { shared: SharedSink; log: string[]; written: () => string[]; a: Sink; b: Sink } {
  const log: string[] = [];
  const inner = createTestSink();
  const sink: Sink = {
    ...inner.sink,
    begin: () => (log.push('begin'), parts.begin?.() ?? inner.sink.begin()),
    commit: () => {
      log.push('commit');
      (parts.commit ?? inner.sink.commit)();
    },
    rollback: () => {
      log.push('rollback');
      inner.sink.rollback();
    },
    close: () => log.push('close'),
    record: (one) => (parts.record ?? inner.sink.record)(one),
  };
  const shared = new SharedSink(sink);
  const written = (): string[] => inner.connections.map(({ problem }) => problem);
  return { shared, log, written, a: shared.forConnection(), b: shared.forConnection() };
}

describe('connections that record at the same time', () => {
  it('share one transaction, which the first to commit commits for all', () => {
    const { a, b, log, written } = share();
    expect([a.begin(), b.begin()]).toEqual([true, true]);
    a.record(record('1'));
    b.record(record('2'));
    expect(written()).toEqual([]);
    a.commit();
    expect(written()).toEqual(['1', '2']);
    b.commit();
    expect(log).toEqual(['begin', 'commit']);
  });

  it('the next transaction is a new one', () => {
    const { a, log } = share();
    for (const name of ['1', '2']) {
      a.begin();
      a.record(record(name));
      a.commit();
    }
    expect(log).toEqual(['begin', 'commit', 'begin', 'commit']);
  });

  it('where another has committed in between, what is recorded afterwards needs a commit of its own', () => {
    const { a, b, log, written } = share();
    a.begin();
    b.begin();
    b.record(record('before'));
    a.commit();
    b.record(record('after'));
    expect(written()).toEqual(['before']);
    b.commit();
    expect(written()).toEqual(['before', 'after']);
    expect(log).toEqual(['begin', 'commit', 'begin', 'commit']);
  });

  it('where the store is taken by then, that fails, and nothing is left open', () => {
    let isFree = true;
    const { a, b, written } = share({ begin: () => isFree });
    a.begin();
    b.begin();
    a.commit();
    isFree = false;
    expect(() => b.record(record('1'))).toThrow('another process has locked the store');
    b.rollback();
    isFree = true;
    expect(b.begin()).toBe(true);
    b.record(record('2'));
    b.commit();
    expect(written()).toEqual(['2']);
  });
});

it('who looks something up after another has committed does so in a transaction that is new', () => {
  const { shared, a, b, log, written } = share();
  a.begin();
  b.begin();
  b.record(record('before'));
  a.commit();
  expect(shared.within(() => 'looked up')).toBe('looked up');
  b.record(record('after'));
  b.commit();
  expect(written()).toEqual(['before', 'after']);
  expect(log).toEqual(['begin', 'commit', 'begin', 'commit']);
  shared.within(() => {});
  expect(log.length).toBe(4);
});

it('who goes on after another has committed, and a third has begun anew, does so in the transaction of the third', () => {
  const { shared, a, b, log, written } = share();
  const c = shared.forConnection();
  a.begin();
  b.begin();
  b.record(record('before'));
  a.commit();
  c.begin();
  b.record(record('after'));
  c.record(record('beside'));
  b.commit();
  c.commit();
  expect(written()).toEqual(['before', 'after', 'beside']);
  expect(log).toEqual(['begin', 'commit', 'begin', 'commit']);
});

describe('what fails', () => {
  it('a commit: all learn of it, whoever committed, and nothing is on record', () => {
    const { a, b, log, written } = share({
      commit: () => {
        throw new Error('disk full');
      },
    });
    a.begin();
    b.begin();
    b.record(record('1'));
    expect(() => a.commit()).toThrow('disk full');
    expect(() => b.commit()).toThrow('disk full');
    // As recorders do after a commit that failed.
    a.rollback();
    b.rollback();
    expect(log).toEqual(['begin', 'commit', 'rollback']);
    expect(written()).toEqual([]);
  });

  it('one that takes its part back takes that of the others along, and they learn of it', () => {
    const { a, b, log, written } = share();
    a.begin();
    b.begin();
    a.record(record('1'));
    b.rollback();
    expect(() => a.record(record('2'))).toThrow(/another connection/);
    expect(() => a.commit()).toThrow(/another connection/);
    expect(log).toEqual(['begin', 'rollback']);
    expect(written()).toEqual([]);
    a.rollback();
    expect(a.begin()).toBe(true);
    a.record(record('3'));
    a.commit();
    expect(written()).toEqual(['3']);
  });

  it('one that comes after a loss in the same turn has a transaction that is new', () => {
    const { a, b, shared, written } = share();
    const c = shared.forConnection();
    a.begin();
    b.begin();
    b.rollback();
    c.begin();
    c.record(record('1'));
    expect(() => a.commit()).toThrow(/another connection/);
    a.rollback();
    c.commit();
    expect(written()).toEqual(['1']);
  });

  it('a rollback after the commit of another takes nothing back', () => {
    const { a, b, log, written } = share();
    a.begin();
    b.begin();
    a.record(record('1'));
    a.commit();
    b.rollback();
    expect(log).toEqual(['begin', 'commit']);
    expect(written()).toEqual(['1']);
  });

  it.each(['record', 'commit'] as const)('%s without a beginning', (method) => {
    const { a } = share();
    expect(() => (method === 'commit' ? a.commit() : a.record(record('1')))).toThrow('before it was begun');
  });

  it('a beginning: nobody is in a transaction then', () => {
    const { a } = share({
      begin: () => {
        throw new Error('no store');
      },
    });
    expect(() => a.begin()).toThrow('no store');
    expect(() => a.commit()).toThrow('before it was begun');
  });
});

it('a store that is taken is asked for by each that begins, until it is free', () => {
  let isFree = false;
  const { a, b, log } = share({ begin: () => isFree });
  expect([a.begin(), b.begin()]).toEqual([false, false]);
  isFree = true;
  expect([a.begin(), b.begin()]).toEqual([true, true]);
  expect(log).toEqual(['begin', 'begin', 'begin']);
});

it('a connection that closes closes nothing of the others', () => {
  const { a, b, shared, log, written } = share();
  a.close();
  b.begin();
  b.record(record('1'));
  b.commit();
  expect(written()).toEqual(['1']);
  shared.close();
  expect(log).toEqual(['begin', 'commit', 'close']);
});
