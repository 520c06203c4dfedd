import { expect, it } from 'vitest';
import { attempt, denying, useSandbox } from '../support/attempt.ts';

/**
 * Whether a key is there twice was told by counting: the keys of the text, and those of what was read from it. A number that is kept as it was sent
 * (`1.0`) is an object of ours, and its one property counted as a key, so that it made up for the one that was lost.
 */
const sandbox = useSandbox();

const EXACT = ['1.0', '-0', '1e2', '9007199254740993'];

it.each(EXACT)('a key that occurs twice is refused beside %s as well', async (number) => {
  const call = (id: string, params: string): string => `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":${params}}`;
  const { reached, ended } = await attempt(sandbox.current, denying('args.path = "/secret"'), [
    call('name', `{"name":"t","name":"u","arguments":{"path":"/secret","n":${number}}}`),
    call('argument', `{"name":"t","arguments":{"path":"/secret","path":"/free","n":${number}}}`),
    call('list', `{"name":"t","arguments":{"path":"/secret","path":"/free","n":[${number}]}}`),
    call('deep', `{"name":"t","arguments":{"a":[{"b":1,"b":${number}}],"n":{"m":${number}}}}`),
    call('honest', `{"name":"t","arguments":{"path":"/free","n":${number},"m":[${number}]}}`),
  ]);
  expect(reached).toEqual(['honest']);
  expect(ended.stdout.split('\n').filter((line) => line.includes('occurs twice'))).toHaveLength(4);
});
