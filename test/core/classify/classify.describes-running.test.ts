import { expect, it } from 'vitest';
import { describesRunning } from '../../../src/core/classify/classify.ts';

it.each([
  'Executes a given bash command in a persistent shell session. Be careful.',
  'This tool executes a given shell command as `bash -c <command>`.',
  'Run an Ansible playbook against an inventory',
  'Install npm dependencies and run JavaScript code inside a container.',
  'Runs helm.',
  'Runs bin/tool with any arguments.',
  'Sends a line to the console of the server.',
  'Use the docker cli.',
  'A Python shell. Use this to execute python commands.',
  'Opens an interactive JavaScript session in a process.',
  'Calls a function on a remote node.',
  'Schedules a script for later.',
  'Use a mouse and keyboard to interact with a computer, and take screenshots.',
  '\n  Compiles and runs a program in one of 60 languages.',
])('runs: %s', (description) => {
  expect(describesRunning(description)).toBe(true);
});

it.each([
  'Execute a SELECT query on the database',
  'Run `npm install` in the project folder before the first build.',
  'Run the solver on an existing container and return summary results.',
  'Search for code. Runs a script.',
  'Gets the output of a command.',
  'Sends a message to a channel',
  'Starts a trace on the selected page.',
  'The console messages of a page',
  'Press a key on the keyboard',
  'Run a visual test scan',
  '',
])('runs nothing: %s', (description) => {
  expect(describesRunning(description)).toBe(false);
});

it('takes no time in long descriptions', () => {
  const start = performance.now();
  for (const text of ['run a ', 'sends lines to ', 'creates and ', 'a a ', ' ']) describesRunning(text.repeat(200_000));
  expect(performance.now() - start).toBeLessThan(1000);
});
