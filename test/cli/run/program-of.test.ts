import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, afterAll, beforeAll } from 'vitest';
import { agentsIn, launchEnvironment, launchWords, openScripts, surelyStarted } from '../../../src/cli/run/program-of.ts';
import { programOf } from '../../../src/cli/run/program-name.ts';

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
  [['mise', 'exec', 'node', '--', 'codex'], ['codex']],
  [['flock', '/tmp/x', 'codex'], ['codex']],
  [['gh', 'copilot'], ['copilot']],
  [['cursor', 'agent'], ['cursor-agent']],
  [['env', 'CODEX_HOME=/tmp/codex', 'claude'], ['claude']],
  [['flock', '/tmp/codex', 'claude'], ['claude']],
  [['direnv', 'exec', './codex', 'gemini'], ['gemini']],
  [['sh', '-c', 'CODEX_HOME=/x/codex claude --log=/x/gemini'], ['claude']],
  [['./codex-x86_64-unknown-linux-musl', 'exec'], ['codex']],
  [['codex-aarch64-apple-darwin'], ['codex']],
  [['C:\\codex-x86_64-pc-windows-msvc.exe'], ['codex']],
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

const FILES = {
  'start.sh': '#!/bin/sh\n# codex\nexport A=b\nexec claude "$@"\n',
  lines: 'gemini -p hi\n',
  'outer.sh': '#!/usr/bin/env bash\ncd . && ./start.sh\n',
  'endless.sh': '#!/bin/sh\n./endless.sh\n',
  'agent.mjs': '#!/usr/bin/env node\nspawn("claude", []);\n',
  'sdk.py': 'from claude_agent_sdk import query\n',
  'plain.mjs': 'const claude = gemini(codex); // a claude\n',
  'bare.sh': '. ./start.sh\n',
  'line.rb': 'system("codex exec hi")\n',
  Makefile: '# codex\nagent: build\n\texport A=b; claude -p hi\n',
  'Taskfile.yml': 'tasks: [{cmd: gemini -p hi}]',
  'package.json': '{"scripts":{"agent":"A=b claude","sdk":"node agent.mjs","n":1}}',
  'lib/node_modules/@openai/codex/bin/codex.js': '',
  'bin/tool': '#!/bin/bash\ncodex exec hi\n',
  binary: '#!/bin/sh\n\0claude',
};

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'clawai-scripts-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  chmodSync(join(cwd, 'bin/tool'), 0o755);
  symlinkSync(join(cwd, 'lib/node_modules/@openai/codex/bin/codex.js'), join(cwd, 'my-agent'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const open = (...words: readonly string[]) => openScripts(words, { cwd, env: { PATH: join(cwd, 'bin') } });

it.each<[readonly string[], readonly string[]]>([
  [['./start.sh'], ['claude']],
  [['env', 'A=b', './start.sh', '-x'], ['claude']],
  [['bash', '-x', 'lines'], ['gemini']],
  [['sh', '-c', 'cd x && ./start.sh'], ['claude']],
  [['./outer.sh'], ['claude']],
  [['./agent.mjs'], ['claude']],
  [['node', 'agent.mjs'], ['claude']],
  [['uv', 'run', 'sdk.py'], ['claude']],
  [['python3', 'sdk.py'], ['claude']],
  [['npm', 'run', 'agent'], ['claude']],
  [['pnpm', '--silent', 'sdk'], ['claude']],
  [['./my-agent'], ['codex']],
  [['tool'], ['codex']],
  [['sh', '-c', './bare.sh'], ['claude']],
  [['ruby', 'line.rb'], ['codex']],
  [['make', 'agent'], ['claude']],
  [['task', 'agent'], ['gemini']],
])('%j starts %j', (words, agents) => {
  expect([...agentsIn(open(...words))]).toEqual(agents);
});

it('has the lines in their place, without comments', () => {
  expect(open('env', 'X=y', './start.sh')).toEqual(['env', 'X=y', 'sh', '-c', expect.stringMatching(/^#!|^\n/)]);
  expect(open('env', 'X=y', './start.sh').at(-1)).not.toContain('codex');
});

it.each([
  [['claude', './start.sh']],
  [['other', './start.sh']],
  [['just', 'agent']],
  [['node', 'plain.mjs']],
  [['./binary']],
  [['./absent.sh']],
  [['./lib']],
  [['bash', 'lib']],
  [['npm', 'run', 'n']],
  [['npm', 'run', 'toString']],
  [['lines']],
  [[]],
])('%j stays', (words) => {
  expect(open(...words)).toEqual(words);
});

it('comes to an end where a script starts itself', () => {
  expect(agentsIn(open('./endless.sh')).size).toBe(0);
});

it.each([
  ['claude X=2', { X: '1', Y: '1' }],
  ['env X=2 claude', { X: '2', Y: '1' }],
  ['env -u X claude', { Y: '1' }],
  ['env -uX claude', { Y: '1' }],
  ['env -iu X Z=3 claude', { Z: '3' }],
  ['env --unset=X --unset Y claude', {}],
  ['env - Z=3 claude', { Z: '3' }],
  ['/usr/bin/env --ignore-environment claude', {}],
  ['timeout 5 env -i claude', {}],
  ['nice -i claude', { X: '1', Y: '1' }],
  ['sudo Z=3 claude', { Z: '3' }],
  ['sudo -E claude', { X: '1', Y: '1' }],
  ['systemd-run --scope claude', { X: '1', Y: '1' }],
])('%s', (command, env) => {
  expect(launchEnvironment(command.split(' '), { X: '1', Y: '1' })).toEqual(env);
});

it.each([
  ['X=2 claude', { X: '2', Y: '1' }],
  [`cd a && X="2" Y='' claude`, { X: '2', Y: '' }],
  ['export X=2; exec claude', { X: '2', Y: '1' }],
  ['unset -v X Y; claude', {}],
  ['exec -c claude', {}],
  ['env -i claude', {}],
  ['sh -c "env -u X claude"', { Y: '1' }],
  ["$env:X='2'; claude", { X: '2', Y: '1' }],
  ['set X=2&& claude', { X: '2', Y: '1' }],
  ['X=$X/v1 Y=${Y:-2} claude', { X: '1', Y: '1' }],
  ['__proto__=2 claude', { X: '1', Y: '1', ['__proto__']: '2' }],
])('a shell told %s', (line, env) => {
  expect(launchEnvironment(['bash', '-lc', line], { X: '1', Y: '1' })).toEqual(env);
});

it.each([
  [['codex'], ['codex']],
  [['npx', '-y', '@openai/codex'], ['codex']],
  [['sh', '-c', 'cd x; codex exec'], ['codex']],
  [['node', '/x/@anthropic-ai/claude-code/cli.js'], ['claude']],
  [['python3', 'agent.py', 'codex'], []],
  [['uv', 'run', 'aider', '--model', 'claude'], []],
  [['aider', 'claude'], []],
])('%j surely starts %j', (words, agents) => {
  expect([...surelyStarted(words)]).toEqual(agents);
});
