import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/** Between a program and its arguments a shell allows redirections, and the program's name may come out of a variable. */
const sandbox = useSandbox();

it('a command is known for what a shell makes of it', async () => {
  const commands = [
    'clawai 2>&1 unwrap',
    'clawai >/tmp/x unwrap',
    'clawai</dev/null unwrap',
    'c=clawai; $c unwrap',
    'clawai $(echo unwrap)',
  ];
  const messages = commands.map((command, i) => readFile({ command }, i));
  const { reached } = await attempt(sandbox.current, denying('args.path = "never"'), [
    ...messages,
    readFile({ command: 'clawai 2>&1 log >/tmp/x' }, 'other'),
  ]);
  expect(reached).toEqual(['other']);
});
