import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readOrMakeKey } from '../../src/approval/key-file.ts';
import { QueueApprover, type QueueApproverOptions } from '../../src/approval/queue-approver.ts';
import { fingerprintOf } from '../../src/approval/to-question.ts';
import type { Call } from '../../src/core/call.ts';
import type { Question, QuestionStore } from '../../src/gate/ports/approval-port.ts';
import { useQuestions } from '../support/questions.ts';

const CALL: Call = { method: 'tools/call', server: 'files', tool: 'write_file', args: { path: '/etc/hosts' } };
const RULE = { index: 0, action: 'prompt', id: 'system', description: 'Ask before system files' } as const;
const DECISION = { action: 'prompt', reason: 'rule', rule: RULE, findings: [], policyHash: '' } as const;
const STAYS = new AbortController().signal;

const questions = useQuestions();

interface Made {
  readonly approver: QueueApprover;
  readonly notified: Question[];
  readonly warnings: string[];
}

function create(options: Partial<QueueApproverOptions> = {}): Made {
  const { current } = questions;
  const notified: Question[] = [];
  const warnings: string[] = [];
  const approver = new QueueApprover({
    store: current.open(),
    key: () => Buffer.alloc(32, 7),
    session: () => 's-1',
    asker: { pid: process.pid, started: '' },
    policy: () => ({ file: '/p.toml', approval: { channels: ['terminal', 'desktop'], timeout: 10_000 } }),
    notify: (question) => notified.push(question),
    notifyRefused: () => {},
    warn: (line) => warnings.push(line),
    ...options,
  });
  return { approver, notified, warnings };
}

/** What waits, as soon as there is so much. */
async function waiting(store: QuestionStore, count = 1): Promise<readonly Question[]> {
  for (let tries = 0; tries < 500; tries++) {
    const found = store.waiting(Date.now()) ?? [];
    if (found.length >= count) return found;
    await setTimeout(10);
  }
  throw new Error('nothing waits');
}

function answer(store: QuestionStore, id: string, state: 'granted' | 'refused', remember: 'once' | 'session' = 'once'): void {
  const now = Date.now();
  store.answer(id, { state, by: 'ann', remember }, { now, grantedUntil: now + 60_000 });
}

describe('asking', () => {
  it('shows a person all that the call is', async () => {
    const { approver, notified } = create();
    const person = questions.current.open();
    const asked = approver.ask(CALL, DECISION, STAYS);
    const [question] = await waiting(person);
    expect(question).toMatchObject({
      server: 'files',
      tool: 'write_file',
      args: '{"path":"/etc/hosts"}',
      argsLength: 21,
      rule: 'system',
      policyFile: '/p.toml',
      ruleIndex: 0,
      description: 'Ask before system files',
      canRemember: true,
      fingerprint: fingerprintOf(CALL, { key: Buffer.alloc(32, 7), why: 'Ask before system files' }),
    });
    expect(notified).toEqual([question]);
    answer(person, question?.id ?? '', 'granted');
    expect(await asked).toEqual({ approval: 'granted', id: question?.id, by: 'ann', remember: 'once' });
  });

  it('gives each call its own answer', async () => {
    const { approver } = create();
    const person = questions.current.open();
    const [yes, no] = [approver.ask(CALL, DECISION, STAYS), approver.ask(CALL, DECISION, STAYS)];
    const [first, second] = await waiting(person, 2);
    answer(person, second?.id ?? '', 'refused');
    answer(person, first?.id ?? '', 'granted');
    expect(await Promise.all([yes, no])).toMatchObject([
      { approval: 'granted', id: first?.id },
      { approval: 'refused', id: second?.id },
    ]);
  });

  it('takes the question back when nobody wants the call any more, also before it was written', async () => {
    const { approver } = create();
    const person = questions.current.open();
    const controller = new AbortController();
    const asked = approver.ask(CALL, DECISION, controller.signal);
    const [question] = await waiting(person);
    controller.abort();
    expect(await asked).toMatchObject({ approval: 'withdrawn' });
    await setTimeout(0);
    expect(person.find(question?.id ?? '')).toMatchObject({ state: 'withdrawn', args: undefined });
    expect(await approver.ask(CALL, DECISION, AbortSignal.abort())).toEqual({ approval: 'withdrawn' });
    expect(person.waiting(Date.now())).toEqual([]);
  });

  it('is not notified of where the policy says no desktop', async () => {
    const { approver, notified } = create({ policy: () => ({ approval: { channels: ['terminal'], timeout: 1000 } }) });
    const asked = approver.ask(CALL, DECISION, STAYS);
    expect(await asked).toMatchObject({ approval: 'expired' });
    expect(notified).toEqual([]);
  });

  it('10 MB of arguments are shown in part, with their length, and bound as a whole', async () => {
    const { approver } = create();
    const person = questions.current.open();
    const text = 'x'.repeat(10_000_000);
    const asked = approver.ask({ ...CALL, args: { text } }, DECISION, STAYS);
    const [question] = await waiting(person);
    expect(question?.args).toHaveLength(1024 * 1024);
    expect(question?.argsLength).toBe(10_000_011);
    answer(person, question?.id ?? '', 'granted', 'session');
    await asked;
    expect(await approver.ask({ ...CALL, args: { text } }, DECISION, STAYS)).toMatchObject({ approval: 'granted' });
    const other = approver.ask({ ...CALL, args: { text: `${text.slice(1)}y` } }, DECISION, STAYS);
    expect(await waiting(person)).toHaveLength(1);
    answer(person, (await waiting(person))[0]?.id ?? '', 'refused');
    expect(await other).toMatchObject({ approval: 'refused' });
  });
});

describe('hazard 2: with nobody there the call is denied', () => {
  it('where no answer comes in time', async () => {
    const { approver } = create({ policy: () => ({ approval: { channels: ['terminal'], timeout: 300 } }) });
    const answered = await approver.ask(CALL, DECISION, STAYS);
    expect(answered).toMatchObject({ approval: 'expired' });
    expect(questions.current.open().find(answered.id ?? '')).toMatchObject({ state: 'expired', args: undefined });
  });

  it('where others keep the store past its end; once it is free, no yes is taken for it any more', async () => {
    const { approver } = create({ policy: () => ({ approval: { channels: ['terminal'], timeout: 300 } }) });
    const asked = approver.ask(CALL, DECISION, STAYS);
    const [question] = await waiting(questions.current.open());
    const holder = new DatabaseSync(questions.current.file);
    holder.exec('BEGIN IMMEDIATE');
    const { id, approval } = await asked;
    expect([id, approval]).toEqual([question?.id, 'unavailable']);
    holder.exec('ROLLBACK');
    holder.close();
    const person = questions.current.open();
    // A clock that was set back meanwhile must not make it answerable either.
    await expect.poll(() => person.find(id ?? '')).toMatchObject({ state: 'withdrawn', args: undefined });
    const before = question?.askedAt ?? 0;
    const given = person.answer(
      id ?? '',
      { state: 'granted', by: 'ann', remember: 'once' },
      { now: before, grantedUntil: before },
    );
    expect(given).toMatchObject({ kind: 'late', status: { state: 'withdrawn' } });
  });

  it('where no channel is on', async () => {
    const { approver } = create({ policy: () => ({ approval: { channels: [], timeout: 300 } }) });
    expect(await approver.ask(CALL, DECISION, STAYS)).toEqual({ approval: 'unavailable' });
    expect(questions.current.open().waiting(Date.now())).toEqual([]);
  });

  it.each([
    ['key', { key: () => readOrMakeKey('/nonexistent/key') }],
    [
      'session',
      {
        session: () => {
          throw new Error('no session');
        },
      },
    ],
    ['policy', { policy: () => ({ approval: { channels: ['terminal'] as const, timeout: Number.NaN } }) }],
  ])('where there is no %s, and says so once', async (_what, options) => {
    const { approver, warnings } = create(options);
    expect(await approver.ask(CALL, DECISION, STAYS)).toEqual({ approval: 'unavailable' });
    expect(await approver.ask(CALL, DECISION, STAYS)).toEqual({ approval: 'unavailable' });
    expect(warnings).toEqual([expect.stringMatching(/^cannot ask for approval, so such calls are denied: /)]);
  });

  it('where the store stays taken, or fails', async () => {
    const store = questions.current.open();
    const broken = (ask: QuestionStore['ask']): QuestionStore => Object.assign(Object.create(store) as QuestionStore, { ask });
    const taken = create({ store: broken(() => undefined) });
    expect(await taken.approver.ask(CALL, DECISION, STAYS)).toEqual({ approval: 'unavailable' });
    const full = create({
      store: broken(() => {
        throw new Error('disk full');
      }),
    });
    expect(await full.approver.ask(CALL, DECISION, STAYS)).toEqual({ approval: 'unavailable' });
    expect(full.warnings).toEqual([expect.stringContaining('disk full')]);
  });

  it('where the store fails while it waits', async () => {
    const store = questions.current.open();
    let isBroken = false;
    const failing = Object.assign(Object.create(store) as QuestionStore, {
      ask: store.ask.bind(store),
      end: () => {
        isBroken = true;
        throw new Error('disk gone');
      },
      ended: () => new Map(),
    });
    const { approver } = create({ store: failing, policy: () => ({ approval: { channels: ['terminal'], timeout: 100 } }) });
    expect(await approver.ask(CALL, DECISION, STAYS)).toMatchObject({ approval: 'unavailable' });
    expect(isBroken).toBe(true);
  });
});

describe('hazard 9: a yes for the session', () => {
  it('is to this exact call only', async () => {
    const { approver } = create();
    const person = questions.current.open();
    const asked = approver.ask(CALL, DECISION, STAYS);
    const [question] = await waiting(person);
    answer(person, question?.id ?? '', 'granted', 'session');
    await asked;
    expect(await approver.ask({ ...CALL, args: { path: '/etc/hosts' } }, DECISION, STAYS)).toEqual({
      approval: 'granted',
      id: question?.id,
      by: 'ann',
      remember: 'session',
    });
    const others: Call[] = [
      { ...CALL, args: { path: '/etc/shadow' } },
      { ...CALL, args: { path: '/etc/hosts', more: null } },
      { ...CALL, args: undefined },
      { ...CALL, tool: 'write_file2' },
      { ...CALL, server: 'other' },
      { method: 'prompts/get', server: 'files', prompt: 'write_file', args: { path: '/etc/hosts' } },
    ];
    const controller = new AbortController();
    const answers = others.map((call) => approver.ask(call, DECISION, controller.signal));
    expect(await waiting(person, others.length)).toHaveLength(others.length);
    controller.abort();
    for (const each of await Promise.all(answers)) expect(each).toMatchObject({ approval: 'withdrawn' });
  });

  it('is to the rule that asked, and to none that asks for another reason', async () => {
    const { approver } = create();
    const person = questions.current.open();
    const asked = approver.ask(CALL, DECISION, STAYS);
    const [question] = await waiting(person);
    answer(person, question?.id ?? '', 'granted', 'session');
    await asked;
    // An edit above it moves a rule, and changes nothing of it.
    const moved = { ...DECISION, policyHash: 'other', rule: { ...RULE, index: 3 } };
    expect(await approver.ask(CALL, moved, STAYS)).toMatchObject({ approval: 'granted', remember: 'session' });
    const controller = new AbortController();
    const others = [
      { ...DECISION, rule: { ...RULE, description: 'Ask before secrets' } },
      { ...DECISION, rule: { ...RULE, source: 'project' } },
      { action: 'prompt', reason: 'default', findings: [], policyHash: '' },
    ] as const;
    const answers = others.map((decision) => approver.ask(CALL, decision, controller.signal));
    expect(await waiting(person, others.length)).toHaveLength(others.length);
    controller.abort();
    for (const each of await Promise.all(answers)) expect(each).toMatchObject({ approval: 'withdrawn' });
  });

  it('to a sampling request is to its params, and cannot be given where they are unknown', async () => {
    const { approver } = create();
    const person = questions.current.open();
    const controller = new AbortController();
    const sampling: Call = { method: 'sampling/createMessage', server: 'files' };
    void approver.ask(sampling, DECISION, controller.signal);
    void approver.ask({ ...sampling, args: { maxTokens: 1 } }, DECISION, controller.signal);
    expect((await waiting(person, 2)).map(({ canRemember }) => canRemember)).toEqual([false, true]);
    controller.abort();
  });
});

describe('hazard 21: what waits is counted by what is there', () => {
  it('withdrawn, answered and expired questions leave nothing behind', async () => {
    const { approver } = create({ policy: () => ({ approval: { channels: ['terminal'], timeout: 10_000 } }) });
    const person = questions.current.open();
    for (let round = 0; round < 30; round++) {
      const controller = new AbortController();
      const call = { ...CALL, server: `s${round}` };
      const asked = Array.from({ length: 5 }, () => approver.ask(call, DECISION, controller.signal));
      await waiting(person, 5);
      controller.abort();
      await Promise.all(asked);
      await setTimeout(0);
      expect(person.waiting(Date.now())).toEqual([]);
    }
  });

  it('a flood is denied without asking', async () => {
    const { approver } = create();
    const controller = new AbortController();
    const asked = Array.from({ length: 12 }, () => approver.ask(CALL, DECISION, controller.signal));
    expect(await asked[10]).toEqual({ approval: 'flood' });
    expect(await asked[11]).toEqual({ approval: 'flood' });
    expect(await waiting(questions.current.open())).toHaveLength(10);
    controller.abort();
  });
});
