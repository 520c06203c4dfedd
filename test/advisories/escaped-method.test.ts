import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/** `"tools\u002fcall"` is `tools/call`; comparing bytes would let it pass as an unknown method. */
const sandbox = useSandbox();

it('an escaped method is the method', async () => {
  const call = (id: number, method: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"name":"t","arguments":{"path":"/secret"}}}`;
  const { reached, ended } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    call(1, 'tools\\u002fcall'),
    call(2, '\\u0074ools/call'),
    call(3, 'tools\\/call'),
    '{"jsonrpc":"2.0","id":4,"method":"\\u0070ing"}',
  ]);
  expect(reached).toEqual([4]);
  expect(ended.stdout.split('\n').filter((line) => line.includes('"isError":true'))).toHaveLength(3);
});
