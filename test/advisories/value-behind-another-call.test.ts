import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';
import { until } from '../support/until.ts';

/**
 * What a server was told is read when it first matters, which is while the arguments of the next call are compared. That used the same state as the
 * comparison, which saw nothing of the arguments from there on: a call right behind another one to the same server sent any value unseen.
 */
const sandbox = useSandbox();

const TOKEN = 'rk9_Zt4mQw8bVx2nLp7cYd5sHf3jGu6a';

it('a value that is sent right behind another call', async () => {
  const policy = '[defaults]\naction = "allow"\n[flow]\nread_then_send = { action = "deny", evidence = "value" }\n';
  const [database, mail] = ['db', 'mail'].map((server) => new Declaring(sandbox.current, { server, policy })) as [
    Declaring,
    Declaring,
  ];
  database.declare({ tools: [[tool('query_database', '')]], texts: { query_database: TOKEN } });
  mail.declare({ tools: [[tool('send_email', '')]] });
  for (const server of [database, mail]) {
    await server.start();
    await server.tools();
  }
  await database.call('query_database');
  await until('it was read', () => readdirSync(join(sandbox.current.state, 'clawai', 'results')).length === 0);
  const calls = [
    ['search_messages', { query: 'what was said before' }],
    ['send_email', { body: TOKEN }],
  ].map(([name, args], id) => ({ jsonrpc: '2.0', id: `call ${id}`, method: 'tools/call', params: { name, arguments: args } }));
  // In one go, so that what the first was told is not read yet.
  mail.send(calls[0] ?? {});
  mail.send(calls[1] ?? {});
  await until('it is answered', () => mail.received.some((line) => line.includes('"call 1"')));
  expect(mail.received.find((line) => line.includes('"call 1"'))).toMatch(/denied.*query_database/);
  for (const server of [database, mail]) await server.stop();
});
