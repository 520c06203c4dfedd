import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';

/**
 * A session in which nothing has happened for half an hour goes on under a new name. Its servers are the same, and yet each was part of the new
 * one only with its first call: what was read before that of the second one was not remembered, and could be sent. So could what was read before it, although a
 * window may be an hour.
 */
const sandbox = useSandbox();

const POLICY = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
const TOKEN = 'rk9_Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';
const IDLE = 31 * 60 * 1000;

async function startTwo(policy: string): Promise<[Declaring, Declaring]> {
  const started: Declaring[] = [];
  for (const [server, name] of [
    ['db', 'query_database'],
    ['mail', 'send_email'],
  ] as const) {
    const one = new Declaring(sandbox.current, { server, policy });
    one.declare({ tools: [[tool(name, '')]], texts: { query_database: TOKEN } });
    await one.start();
    await one.tools();
    expect(await one.call(name)).toBe('allowed');
    started.push(one);
  }
  return started as [Declaring, Declaring];
}

/** Half an hour passes. */
function wait(): void {
  const store = new DatabaseSync(sandbox.current.storeFile, { timeout: 10_000 });
  store.prepare('UPDATE sessions SET last = last - ?').run(IDLE);
  for (const table of ['session_calls', 'session_servers', 'session_values']) {
    store.prepare(`UPDATE ${table} SET time = time - ?`).run(IDLE);
  }
  store.close();
}

it('the first result after it counts as any other', async () => {
  const [db, mail] = await startTwo(POLICY);
  wait();
  expect(await db.call('query_database')).toBe('allowed');
  expect(await mail.call('send_email', { body: TOKEN })).toMatch(/denied.*"query_database"/);
  await db.stop();
  await mail.stop();
  const sessions = sandbox.current.decided().map(({ session_id: session }) => String(session));
  expect(sessions.map((session) => session.endsWith('.2'))).toEqual([false, false, true, true]);
});

it('what a window of an hour looks back at was read before it', async () => {
  const [db, mail] = await startTwo(POLICY.replace('"value" }', '"value", window = "1h" }'));
  expect(await db.call('query_database')).toBe('allowed');
  // Once this is decided, what was read is on record.
  expect(await mail.call('send_email', { body: TOKEN })).toMatch(/denied/);
  wait();
  expect(await mail.call('send_email', { body: TOKEN })).toMatch(/denied.*"query_database"/);
  await db.stop();
  await mail.stop();
});
