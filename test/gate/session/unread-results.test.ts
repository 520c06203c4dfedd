import { describe, expect, it } from 'vitest';
import type { ResultMarks, SessionLog } from '../../../src/gate/ports/session-port.ts';
import { UnreadResults } from '../../../src/gate/session/unread-results.ts';
import { createTestGate, type Readable, type TestGate, toolCall } from '../../support/gate.ts';
import { memoriesOf, MemorySessionLog, NO_PROVENANCE } from '../../support/memory-session-log.ts';

const NEVER = new AbortController().signal;

/** Marks of another process that a test makes and takes away. */
function others(): ResultMarks & { readonly there: Set<string>; readonly own: Set<number> } {
  const there = new Set<string>();
  const own = new Set<number>();
  let last = 0;
  const add = (): (() => void) => {
    const n = ++last;
    own.add(n);
    return () => void own.delete(n);
  };
  return { there, own, add, others: () => [...there] };
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  await new Promise((resolve) => setTimeout(resolve, 10));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe('UnreadResults', () => {
  it('are waited for until they are read, those of its own server for evidence alone, and none that comes later', async () => {
    const marks = others();
    const results = new UnreadResults('s', marks);
    expect(results.find('mail')(false)).toBeUndefined();
    const [first, own] = [results.pass('db'), results.pass('mail')];
    expect(marks.own.size).toBe(2);
    const waiting = results.find('mail')(false)?.wait(NEVER);
    if (waiting === undefined) throw new Error('there is one to wait for');
    const later = results.pass('db');
    expect(await isSettled(waiting)).toBe(false);
    first();
    // Evidence that the other server brings is none if its own server has said it, too.
    expect(await isSettled(waiting)).toBe(false);
    own();
    expect(await waiting).toBe(true);
    const again = results.pass('mail');
    later();
    // What its own server says is no evidence.
    expect(results.find('mail')(false)).toBeUndefined();
    const ofOwn = results.find('mail')(true)?.wait(NEVER) ?? Promise.resolve();
    expect(await isSettled(ofOwn)).toBe(false);
    again();
    expect(await ofOwn).toBe(true);
    expect(marks.own.size).toBe(0);
  });

  it('of other processes are waited for as well, and none that comes later', async () => {
    const marks = others();
    marks.there.add('a.1');
    const waiting = new UnreadResults('s', marks).find('mail')(false)?.wait(NEVER) ?? Promise.resolve();
    marks.there.add('a.2');
    expect(await isSettled(waiting)).toBe(false);
    marks.there.delete('a.1');
    expect(await waiting).toBe(true);
  });

  it('are waited for no longer than anybody has patience, nor by a call that is withdrawn', async () => {
    const marks = others();
    marks.there.add('a.1');
    const results = new UnreadResults('s', marks, 20);
    expect(await results.find('mail')(false)?.wait(NEVER)).toBe(false);
    results.pass('db');
    expect(await results.find('mail')(false)?.wait(NEVER)).toBe(false);
    expect(await results.find('mail')(false)?.wait(AbortSignal.abort())).toBe(true);
  });

  it('that cannot be asked for are not known to be read', async () => {
    const marks = others();
    marks.there.add('a.1');
    const unread = new UnreadResults('s', marks).find('mail')(false);
    marks.others = () => {
      throw new Error('no such device');
    };
    expect(await unread?.wait(NEVER)).toBe(false);
  });
});

const BY_VALUE = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';

interface Waiting {
  readonly gate: TestGate;
  readonly marks: ReturnType<typeof others>;
  readonly log: SessionLog;
}

/** A gate of a session in which another process reads a result that has a value of what is sent. */
function waitingGate(toml = BY_VALUE, isObserving = false): Waiting {
  const log = new MemorySessionLog();
  const another = log.ofAnother();
  another.addServer('s', 'db');
  const call = { id: 'db.1', time: 1000, server: 'db', method: 'tools/call', subject: 'query', turn: undefined } as const;
  another.addCall('s', { ...call, categories: ['read'], isForwarded: true });
  const marks = others();
  marks.there.add('db.1');
  const known = { isAdded: false };
  const provenance = {
    ...NO_PROVENANCE,
    add: () => void (known.isAdded = true),
    find: () => (known.isAdded ? [{ source: 'db.1', encoding: 'plain', description: 'a line' }] : []),
  };
  const memories = memoriesOf(log, { provenance, marks });
  return { gate: createTestGate(toml, { sessionLog: log, memories }, isObserving), marks, log: another };
}

/** The other process has read it. */
function read({ marks, log }: Waiting): void {
  log.addValues('s', { source: 'db.1', server: 'db', time: 1000, hashes: new Uint8Array(8) });
  marks.there.delete('db.1');
}

const SENDING = toolCall('send_email', { body: 'x' });
const denied = (answer: Readable): boolean => JSON.stringify(answer).includes('denied the tool call');

describe('a call that a value may flow into', () => {
  it('is decided when the result is read, and by what it has in it', async () => {
    const waiting = waitingGate();
    const answer = waiting.gate.client(SENDING);
    expect(await isSettled(answer)).toBe(false);
    expect(await waiting.gate.client(toolCall('list_inbox', {}, { id: 2 }))).toBe('forward');
    read(waiting);
    expect(denied(await answer)).toBe(true);
    expect(waiting.gate.records.map(({ call, decision }) => [call.tool, decision.action])).toEqual([
      ['list_inbox', 'allow'],
      ['send_email', 'deny'],
    ]);
  });

  it('in a batch or without an id is no other', async () => {
    const waiting = waitingGate();
    const { gate } = waiting;
    gate.gate.assumeRevision('2025-03-26');
    const batch = gate.client(`[${SENDING},${toolCall('list_inbox', {}, { id: 2 })}]`);
    const notified = gate.client(SENDING.replace('"id":1,', ''));
    expect([await isSettled(batch), await isSettled(notified)]).toEqual([false, false]);
    read(waiting);
    expect(await notified).toBe('drop');
    expect(JSON.stringify(await batch)).toMatch(/"onward":\[.*list_inbox.*\]/);
    expect(JSON.stringify(await batch)).not.toMatch(/"name":"send_email"/);
  });

  it('that is cancelled, or whose server ends, goes nowhere', async () => {
    for (const end of [
      (gate: TestGate) => gate.client('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'),
      (gate: TestGate) => gate.gate.requests.serverEnded(),
      (gate: TestGate) => gate.gate.requests.clientGone(),
    ]) {
      const waiting = waitingGate();
      const answer = waiting.gate.client(SENDING);
      expect(await isSettled(answer)).toBe(false);
      await end(waiting.gate);
      expect(await answer).not.toBe('forward');
      expect(waiting.gate.records).toMatchObject([{ asked: 'withdrawn', reason: 'approval_withdrawn' }]);
    }
  });

  it('is asked about only when the result is read', async () => {
    const waiting = waitingGate(BY_VALUE.replace('"deny"', '"prompt"'));
    const answer = waiting.gate.client(SENDING);
    expect(await isSettled(answer)).toBe(false);
    read(waiting);
    await answer;
    expect(waiting.gate.records).toMatchObject([{ asked: 'unavailable', decision: { reason: 'flow' } }]);
  });

  it.each([
    ['kinds of tools decide', '[defaults]\naction = "allow"\n'],
    ['a rule denies it', `${BY_VALUE}[[rule]]\naction = "deny"\ntool = "send_*"\n`],
    ['it sends nothing', BY_VALUE, 'list_inbox'],
  ])('waits for nothing where %s', async (_, toml, name = 'send_email') => {
    const { gate } = waitingGate(toml);
    expect(await isSettled(gate.client(toolCall(name)))).toBe(true);
  });

  it('waits for nothing where nothing is enforced', async () => {
    const { gate } = waitingGate(BY_VALUE, true);
    expect(await gate.client(SENDING)).toBe('forward');
    expect(gate.records).toHaveLength(1);
  });
});
