import { readFileSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SqliteStore } from '../../src/store/sqlite-store.ts';
import { question, useQuestions } from '../support/questions.ts';

const LIMIT = { most: 10, within: 60_000 };
const YES = { state: 'granted', by: 'ann on /dev/pts/1', remember: 'once' } as const;
const NO = { state: 'refused', by: 'bob on /dev/pts/2', remember: 'once' } as const;

const questions = useQuestions();

function times(now = Date.now()): { now: number; grantedUntil: number } {
  return { now, grantedUntil: now + 3_600_000 };
}

describe('a question', () => {
  it('comes back as it was asked, from any process, oldest first', () => {
    const [asking, answering] = [questions.current.open(), questions.current.open()];
    const now = Date.now();
    const second = question({
      askedAt: now,
      tool: undefined,
      resource: 'file:///\u202ex\0y',
      rule: undefined,
      policyFile: undefined,
      ruleIndex: undefined,
      description: undefined,
    });
    const first = question({ askedAt: now - 1000, args: undefined, argsLength: 0, canRemember: false });
    for (const asked of [second, first]) expect(asking.ask(asked, LIMIT)).toEqual({ kind: 'waiting' });
    expect(answering.waiting(now)).toEqual([first, second]);
    expect(answering.find(first.id)).toEqual({
      ...first,
      state: 'waiting',
      by: undefined,
      remember: undefined,
      answeredAt: undefined,
    });
    expect(answering.find('NOBODY')).toBeNull();
  });

  it('gets one answer: the first', () => {
    const [asking, ann, bob] = [questions.current.open(), questions.current.open(), questions.current.open()];
    const { id } = question();
    asking.ask(question({ id }), LIMIT);
    expect(asking.ended([id])).toEqual(new Map());
    const now = Date.now();
    expect(ann.answer(id, YES, times(now))).toEqual({ kind: 'taken' });
    const status = { state: 'granted', by: YES.by, remember: 'once', answeredAt: now };
    expect(bob.answer(id, NO, times())).toEqual({ kind: 'late', status });
    expect(ann.answer(id, YES, times())).toEqual({ kind: 'late', status });
    expect(asking.ended([id])).toEqual(new Map([[id, status]]));
    expect(asking.end([id], 'expired', now)).toEqual(new Map([[id, status]]));
    expect(bob.waiting(now)).toEqual([]);
    expect(bob.answer('NOBODY', YES, times())).toEqual({ kind: 'unknown' });
  });

  it('takes no answer after its time, nor after it was withdrawn', () => {
    const store = questions.current.open();
    const [late, gone] = [question({ expiresAt: Date.now() + 1000 }), question()];
    for (const asked of [late, gone]) store.ask(asked, LIMIT);
    expect(store.answer(late.id, YES, times(Date.now() + 1000))).toMatchObject({ kind: 'late', status: { state: 'expired' } });
    expect([...(store.end([gone.id, 'NOBODY'], 'withdrawn', 5) ?? [])]).toMatchObject([
      [gone.id, { state: 'withdrawn' }],
      ['NOBODY', { state: 'withdrawn' }],
    ]);
    expect(store.answer(gone.id, YES, times())).toMatchObject({ kind: 'late', status: { state: 'withdrawn' } });
  });

  it.each([
    ['answered', (id: string) => questions.current.open().answer(id, NO, times())],
    ['withdrawn', (id: string) => questions.current.open().end([id], 'withdrawn', Date.now())],
    ['expired', () => questions.current.open().waiting(Date.now() + 100_000)],
  ])('that is %s keeps nothing of its arguments', (_how, settle) => {
    const store = questions.current.open();
    const secret = `kept-secret-${'x'.repeat(5000)}`;
    const asked = question({ args: JSON.stringify({ secret }) });
    store.ask(asked, LIMIT);
    settle(asked.id);
    expect(store.find(asked.id)).toMatchObject({ args: undefined, summary: asked.summary });
    store.close();
    const database = new DatabaseSync(questions.current.file);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    expect(readFileSync(questions.current.file).includes('kept-secret')).toBe(false);
  });

  it('is forgotten a day later', () => {
    const store = questions.current.open();
    const asked = question();
    store.ask(asked, LIMIT);
    store.waiting(asked.askedAt + 23 * 3_600_000);
    expect(store.find(asked.id)).toMatchObject({ state: 'expired' });
    store.waiting(asked.askedAt + 25 * 3_600_000);
    expect(store.find(asked.id)).toBeNull();
  });

  it('survives a file that is put in the place of the old one: it is lost, and the next one is not', () => {
    const store = questions.current.open();
    const asked = question();
    store.ask(asked, LIMIT);
    renameSync(questions.current.file, `${questions.current.file}.old`);
    for (const suffix of ['-wal', '-shm']) rmSync(questions.current.file + suffix, { force: true });
    expect(store.ended([asked.id])?.get(asked.id)).toMatchObject({ state: 'withdrawn' });
    const next = question();
    expect(store.ask(next, LIMIT)).toEqual({ kind: 'waiting' });
    expect(questions.current.open().find(next.id)).toMatchObject({ state: 'waiting' });
  });

  it('is not written while another process has locked the store, and nothing is thrown', () => {
    const store = questions.current.open();
    const asked = question();
    store.waiting(0);
    const other = new DatabaseSync(questions.current.file);
    other.exec('BEGIN IMMEDIATE');
    expect(store.ask(asked, LIMIT)).toBeUndefined();
    expect(store.end([asked.id], 'expired', 0)).toBeUndefined();
    expect(store.answer(asked.id, YES, times())).toBeUndefined();
    other.exec('ROLLBACK');
    other.close();
    expect(store.ask(asked, LIMIT)).toEqual({ kind: 'waiting' });
  });
});

describe('hazard 9: a grant for the session', () => {
  it('is bound to the session and to all of the call', () => {
    const store = questions.current.open();
    const asked = question({ fingerprint: 'one' });
    store.ask(asked, LIMIT);
    store.answer(asked.id, { ...YES, remember: 'session' }, times());
    const remembered = { kind: 'remembered', id: asked.id, by: YES.by };
    expect(store.ask(question({ fingerprint: 'one' }), LIMIT)).toEqual(remembered);
    expect(store.ask(question({ fingerprint: 'two' }), LIMIT)).toEqual({ kind: 'waiting' });
    expect(store.ask(question({ fingerprint: 'one', session: 's-2' }), LIMIT)).toEqual({ kind: 'waiting' });
    const later = Date.now() + 3_600_000;
    expect(store.ask(question({ fingerprint: 'one', askedAt: later, expiresAt: later + 1 }), LIMIT)).toEqual({ kind: 'waiting' });
  });

  it('is not what a yes for once gives, nor a no', () => {
    const store = questions.current.open();
    const [yes, no] = [question({ fingerprint: 'yes' }), question({ fingerprint: 'no' })];
    for (const asked of [yes, no]) store.ask(asked, LIMIT);
    store.answer(yes.id, YES, times());
    store.answer(no.id, { ...NO, remember: 'session' }, times());
    expect(store.ask(question({ fingerprint: 'yes' }), LIMIT)).toEqual({ kind: 'waiting' });
    expect(store.ask(question({ fingerprint: 'no' }), LIMIT)).toEqual({ kind: 'waiting' });
  });

  it('is never given to a request that is known by its method alone', () => {
    const store = questions.current.open();
    const asked = question({ method: 'sampling/createMessage', tool: undefined, canRemember: false });
    store.ask(asked, LIMIT);
    expect(() => store.answer(asked.id, { ...YES, remember: 'session' }, times())).toThrow(/everything/);
    expect(store.find(asked.id)).toMatchObject({ state: 'waiting' });
  });
});

describe('hazard 21: a flood', () => {
  it('of one server is stopped, counts nobody else, and is over a minute later', () => {
    const store = questions.current.open();
    const now = Date.now();
    const ask = (server: string, askedAt = now): unknown =>
      store.ask(question({ server, askedAt, expiresAt: askedAt + 1 }), LIMIT)?.kind;
    for (let i = 0; i < 10; i++) expect(ask('noisy')).toBe('waiting');
    expect(ask('noisy')).toBe('flood');
    expect(ask('quiet')).toBe('waiting');
    expect(ask('noisy', now + 59_999)).toBe('flood');
    for (let i = 0; i < 10; i++) expect(ask('noisy', now + 60_000)).toBe('waiting');
  });

  it('a thousand questions wait, are listed and answered', () => {
    const store = questions.current.open();
    const asked = Array.from({ length: 1000 }, (_, i) => question({ server: `s${i}` }));
    for (const each of asked) expect(store.ask(each, LIMIT)?.kind).toBe('waiting');
    expect(store.waiting(Date.now())).toHaveLength(1000);
    const ids = asked.map(({ id }) => id);
    expect(store.ended(ids)).toEqual(new Map());
    const other = questions.current.open();
    for (const id of ids) other.answer(id, YES, times());
    expect(store.ended(ids)?.size).toBe(1000);
  });
});

describe('a yes for the session', () => {
  const MINUTE = 60_000;
  const SESSION_YES = { ...YES, remember: 'session' } as const;

  /** Records that something happened in a session at these times. */
  function happened(session: string, moments: readonly number[]): void {
    const store = new SqliteStore({ file: questions.current.file, sync: 'normal', writerVersion: '0' });
    if (!store.begin()) throw new Error('somebody has the store');
    for (const time of moments) store.append({ type: 't', time, session, server: 's', body: '{}' });
    store.commit();
    store.close();
  }

  function grant(now: number): void {
    const store = questions.current.open();
    const asked = question({ session: 's-9', fingerprint: 'g', askedAt: now, expiresAt: now + 1000 });
    store.ask(asked, LIMIT);
    store.answer(asked.id, SESSION_YES, { now, grantedUntil: now + 720 * MINUTE });
  }

  function kindAt(now: number): string | undefined {
    return questions.current
      .open()
      .ask(question({ session: 's-9', fingerprint: 'g', askedAt: now, expiresAt: now + 1000 }), LIMIT)?.kind;
  }

  it('ends after half an hour in which nothing happened in it', () => {
    const start = Date.now();
    grant(start);
    expect(kindAt(start + 29 * MINUTE)).toBe('remembered');
    expect(kindAt(start + 58 * MINUTE)).toBe('remembered');
    expect(kindAt(start + 88 * MINUTE)).toBe('waiting');
  });

  it('goes on while other calls are made in it, and not in others', () => {
    const start = Date.now();
    grant(start);
    happened(
      's-9',
      [20, 45, 70].map((minutes) => start + minutes * MINUTE),
    );
    expect(kindAt(start + 95 * MINUTE)).toBe('remembered');
    happened('s-8', [start + 110 * MINUTE]);
    expect(kindAt(start + 126 * MINUTE)).toBe('waiting');
  });

  it('does not come back when the session does', () => {
    const start = Date.now();
    grant(start);
    happened('s-9', [start + 40 * MINUTE, start + 41 * MINUTE]);
    expect(kindAt(start + 42 * MINUTE)).toBe('waiting');
    expect(kindAt(start + 43 * MINUTE)).toBe('waiting');
  });
});
