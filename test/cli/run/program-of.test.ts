import { expect, it } from 'vitest';
import { agentsIn, launchWords, programOf } from '../../../src/cli/run/program-of.ts';

it.each([
  ['claude', 'claude'],
  ['/opt/bin/claude', 'claude'],
  ['C:\\Programs\\Claude.EXE', 'claude'],
  ['codex.cmd', 'codex'],
  ['./my.agent', 'my.agent'],
])('%s is %s', (command, program) => {
  expect(programOf(command)).toBe(program);
});

it.each([
  [['claude', '-p', 'ask codex'], ['claude']],
  [['C:\\bin\\Claude.cmd'], ['claude']],
  [['env', '-u', 'X', 'A=claude', 'gemini'], ['gemini']],
  [['npx', '--yes', '@google/gemini-cli@0.61.0', '-p', 'ask claude'], ['gemini']],
  [
    ['sh', '-c', 'cd x && (claude -p hi; codex)'],
    ['claude', 'codex'],
  ],
  [['env', 'A=b', 'bash', '-lc', 'exec "claude"'], ['claude']],
  [['timeout', '5', 'sudo', '/usr/bin/codex'], ['codex']],
  [['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'], ['claude']],
  [['cmd', '/c', 'copilot'], ['copilot']],
  [['env', '-S', 'A=b claude -p hi'], ['claude']],
  [['doppler', 'run', '--', 'codex', 'exec'], ['codex']],
  [['firejail', '--net=none', './claude'], ['claude']],
  [['tmux', 'new', 'cd x; claude -p hi'], ['claude']],
  [['busybox', 'ash', '-c', 'exec gemini'], ['gemini']],
  [['node', 'watch', 'x claude y'], []],
  [['make', 'claude'], []],
  [['my-agent', '-c', 'claude'], []],
  [[], []],
])('%j starts %j', (words, agents) => {
  expect([...agentsIn(words)]).toEqual(agents);
});

it.each([
  [['claude', 'A=b'], []],
  [
    ['/usr/bin/env', 'A=b c', 'claude'],
    ['env', 'A=b c', 'claude'],
  ],
  [
    ['sh', '-c', `A="b" claude -p 'x'`],
    ['sh', '-c', 'A=b', 'claude', '-p', 'x'],
  ],
  [
    ['env', '-vSA=b claude'],
    ['env', 'A=b', 'claude'],
  ],
])('%j has the words %j', (command, words) => {
  expect(launchWords(command)).toEqual(words);
});
