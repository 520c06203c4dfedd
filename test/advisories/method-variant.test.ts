import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/** `Tools/Call` or `tools/call` with a NUL behind it is another method to us and may be the same one to a server: it passed. */
const sandbox = useSandbox();

it('variants of reviewed methods are refused', async () => {
  const methods = ['Tools/Call', 'tools/call\0', ' tools/call', 'tool\u017f/call', 'Resources/Read', 'own/method'];
  const messages = methods.map((method) => ({ jsonrpc: '2.0', id: method, method, params: { name: 'x' } }));
  const { reached, ended } = await attempt(sandbox.current, denying(''), messages);
  expect(reached).toEqual(['own/method']);
  expect(ended.stdout.split('\n').filter((line) => line.includes('-32600'))).toHaveLength(5);
});
