import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/** A batch that is forwarded unread carries every call past the policy; one that is dropped makes the client wait (hazard 15). */
const sandbox = useSandbox();

it('a call in a batch does not pass, and the batch is answered', async () => {
  const call = '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}}}';
  const { reached, ended } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    `[${call}]`,
    `[{"jsonrpc":"2.0","id":1,"method":"ping"},${call}]`,
    '{"jsonrpc":"2.0","id":2,"method":"ping"}',
  ]);
  expect(reached).toEqual([2]);
  expect(ended.stdout.split('\n').filter((line) => line.includes('-32600'))).toHaveLength(2);
});
