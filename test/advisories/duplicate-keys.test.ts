import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/**
 * Of a key that occurs twice, `JSON.parse` keeps the last value and other parsers the first (as in GHSA-4gph-2hhr-5mwg): what is
 * decided need not be what the server does.
 */
const sandbox = useSandbox();

it('a key that occurs twice is refused, wherever it counts', async () => {
  const call = (id: string, body: string): string => `{"jsonrpc":"2.0","id":"${id}",${body}}`;
  const { reached, ended } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    call('method', '"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}},"method":"ping"'),
    call('name', '"method":"tools/call","params":{"name":"t","name":"u"}'),
    call('argument', '"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret","path":"/free"}}'),
    call('escaped', '"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret","p\\u0061th":"/free"}}'),
    call('deep', '"method":"tools/call","params":{"name":"t","arguments":{"a":[{"b":1,"b":2}]}}'),
    call('params', '"method":"tools/call","params":{"name":"t","arguments":{"path":"/secret"}},"params":{"name":"t"}'),
    call('honest', '"method":"tools/call","params":{"name":"t","arguments":{"path":"/free"}}'),
  ]);
  expect(reached).toEqual(['honest']);
  expect(ended.stdout.split('\n').filter((line) => line.includes('-32600'))).toHaveLength(6);
});
