import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** A program in one argument and what it is called with in another were put together only where they were called `command` and `args`. */
const sandbox = useSandbox();

it('a command line in parts is one', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.path = "never"'), [
    readFile({ executable: 'clawai', arguments: ['unwrap'] }, 1),
    readFile({ executable: 'clawai', arguments: 'unwrap --all' }, 2),
    readFile({ name: 'clawai', argv: ['unwrap'] }, 3),
    readFile({ spec: { path: '/usr/local/bin/clawai', args: ['unwrap'] } }, 4),
    readFile({ name: 'clawai', argv: ['log'] }, 5),
  ]);
  expect(reached).toEqual([5]);
});
