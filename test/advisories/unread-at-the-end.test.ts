import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';

/** What a result had in it was tried to be written again and again, also when the connection was over and nothing could be written any more: the process never ended. */
const sandbox = useSandbox();

const POLICY = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
const ROWS = Array.from({ length: 20_000 }, (_, i) => `${i},Quill${(i * 7919) % 99_991},${4e15 + i * 104_729_131}`).join('\n');

it('a process ends although a result could not be read', async () => {
  const start = async (server: string, name: string): Promise<Declaring> => {
    const one = new Declaring(sandbox.current, { server, policy: POLICY });
    one.declare({ tools: [[tool(name, '')]], texts: { [name]: ROWS } });
    await one.start();
    await one.tools();
    return one;
  };
  const db = await start('db', 'query_database');
  const mail = await start('mail', 'send_email');
  expect(await db.call('query_database')).toBe('allowed');
  const store = new DatabaseSync(sandbox.current.storeFile);
  store.exec('BEGIN IMMEDIATE');
  await db.stop();
  store.exec('ROLLBACK');
  store.close();
  expect(await mail.call('send_email')).toBe('allowed');
  await mail.stop();
});
