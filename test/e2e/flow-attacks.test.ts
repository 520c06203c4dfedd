import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SqliteQuestions } from '../../src/store/approval-store.ts';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { until } from '../support/until.ts';

const sandbox = useSandbox();

async function start(server: string, name: string, policy: string): Promise<Declaring> {
  const started = new Declaring(sandbox.current, { server, policy: `[defaults]\naction = "allow"\n${policy}` });
  started.declare({ tools: [[tool(name, '')]] });
  await started.start();
  await started.tools();
  return started;
}

function stored(sql: string): number {
  const database = new DatabaseSync(sandbox.current.storeFile, { readOnly: true });
  const found = database.prepare(sql).get();
  database.close();
  return Number(found?.['n']);
}

/** Answers what waits for a person, for the session, and says what was asked. */
async function allow(): Promise<string | undefined> {
  await until('a call waits for a person', () => stored("SELECT count(*) AS n FROM approvals WHERE state = 'waiting'") === 1);
  const store = new SqliteQuestions({ file: sandbox.current.storeFile, sync: 'normal' });
  const now = Date.now();
  const [question] = store.waiting(now) ?? [];
  if (question === undefined) throw new Error('nothing waits');
  store.answer(question.id, { state: 'granted', by: 'test', remember: 'session' }, { now, grantedUntil: now + 60_000 });
  store.close();
  return question.description;
}

describe('attacks on the rules on flow', () => {
  it('a yes to a call for the session is none to what flows with it, and the person is told what does', async () => {
    const policy = '[approval]\ntimeout = "20s"\nchannels = ["terminal"]\n[flow]\naction = "prompt"\n';
    const rule = '[[rule]]\naction = "prompt"\ntool = "send_email"\ndescription = "Ask before sending"\n';
    const database = await start('db', 'query_database', policy);
    const mail = await start('mail', 'send_email', policy + rule);
    const first = mail.call('send_email', { body: 'x' });
    expect(await allow()).toBe('Ask before sending');
    expect(await first).toBe('allowed');
    expect(await mail.call('send_email', { body: 'x' })).toBe('allowed');
    await database.call('query_database');
    const second = mail.call('send_email', { body: 'x' });
    expect(await allow()).toMatch(/^It would send with "send_email" after "query_database" of the server "db"/);
    expect(await second).toBe('allowed');
    expect(await mail.call('send_email', { body: 'x' })).toBe('allowed');
    await database.stop();
    await mail.stop();
  });
});
