import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScripts } from '../../../src/cli/run/open-scripts.ts';
import { agentsIn } from '../../../src/cli/run/program-of.ts';

const FILES = {
  'start.sh': '#!/bin/sh\n# codex\nexport A=b\nexec claude "$@"\n',
  lines: 'gemini -p hi\n',
  'outer.sh': '#!/usr/bin/env bash\ncd . && ./start.sh\n',
  'endless.sh': '#!/bin/sh\n./endless.sh\n',
  'agent.mjs': '#!/usr/bin/env node\nspawn("claude", []);\n',
  'sdk.py': 'from claude_agent_sdk import query\n',
  'plain.mjs': 'const claude = gemini(codex); // a claude\n',
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
