import { expect, it } from 'vitest';
import { attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * A command that is given as a list of its words, or as a program and its arguments, was looked at word by word: no pattern for a whole command matched,
 * and that `rm` takes away the folder that clawai lies in was not seen where the folder stood in an element of its own.
 */
const sandbox = useSandbox();

const call = (name: string, args: unknown, id: unknown): unknown => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

it('rules on the text of a command are about its words, too', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.command = "**rm -rf**"'), [
    readFile({ command: ['rm', '-rf', '/x'] }, 1),
    readFile({ command: ['bash', '-c', 'rm -rf /x'] }, 2),
    readFile({ command: 'rm', args: ['-rf', '/x'] }, 3),
    readFile({ command: ['sudo', 'rm'], argv: '-rf /x' }, 4),
    readFile('{"command":["rm","-rf","/x"]}', 5),
    readFile({ command: ['rm', '-i', '/x'] }, 11),
    readFile({ command: 'rm', args: ['-i', '/x'] }, 12),
    readFile({ command: ['ls'], note: ['rm', '-rf'] }, 13),
  ]);
  expect(reached).toEqual([11, 12, 13]);
});

it('what allows a command wants all readings of it', async () => {
  const allow = '[[rule]]\naction = "allow"\ntool = "**"\nargs.command = { not = "**rm -rf**" }\n';
  const { reached } = await attempt(sandbox.current, allow, [
    readFile({ command: ['rm', '-rf', '/x'] }, 1),
    readFile({ command: ['rm', '-i', '/x'] }, 11),
  ]);
  expect(reached).toEqual([11]);
});

it('no list of words takes away what clawai lies in, or ends it', async () => {
  const { current } = sandbox;
  const { reached } = await attempt(current, '[defaults]\naction = "allow"\n', [
    call('execute', { command: ['rm', '-rf', current.state] }, 1),
    call('execute', { cmd: 'rm', args: ['-rf', current.state] }, 2),
    call('spawn', { file: 'rm', args: ['-r', current.state] }, 3),
    call('execute', { argv: ['sh', '-c', `cd ${current.state} && rm -rf ..`] }, 4),
    call('execute', { command: ['pkill', '-f', 'clawai'] }, 5),
    call('execute', { command: 'pkill', args: ['clawai'] }, 6),
    call('execute', { command: ['ls', current.state] }, 11),
    call('execute', { command: ['rm', '-rf', current.path('else')] }, 12),
    call('execute', { cmd: 'git', args: ['commit', '-m', 'end clawai; rm -rf is not said'] }, 13),
  ]);
  expect(reached).toEqual([11, 12, 13]);
});
