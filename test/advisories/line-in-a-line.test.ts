import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/**
 * Servers that read with universal newlines (Python's text mode) end a line at a carriage return too: one line to us, which is a
 * harmless message, is three to them, and the one in the middle a call.
 */
const sandbox = useSandbox();

it('carriage returns and other white space within a message are refused', async () => {
  const call = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}}}';
  const { reached } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[\r${call}\r]}}`,
    `{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":[\f${call}\u000b]}}`,
    '{"jsonrpc":"2.0","id":3,"method":"ping"}\r',
  ]);
  expect(reached).toEqual([3]);
});

it('two messages on a line are refused', async () => {
  const call = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}}}';
  const { reached } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    `{"jsonrpc":"2.0","id":1,"method":"ping"}${call}`,
    `{"jsonrpc":"2.0","id":2,"method":"ping"} ${call}`,
    `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"x":[/*"*/ 1,${call}, "*/"]}}`,
  ]);
  expect(reached).toEqual([]);
});
