import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/** Parsers that cut keys at a NUL take `method\u0000` for `method` (GHSA-q382-vc8q-7jhj). */
const sandbox = useSandbox();

it('protocol keys with a NUL behind them are refused', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    '{"jsonrpc":"2.0","id":1,"method":"ping","method\\u0000":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments\\u0000x":{"path":"/secret"}}}',
    '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"path\\u0000":"/secret"}}}',
    '{"jsonrpc":"2.0","id":4,"method":"ping"}',
  ]);
  expect(reached).toEqual([4]);
});
