import { describe, expect, it } from 'vitest';
import { alwaysChoices } from '../../src/config/always-choices.ts';
import type { Call } from '../../src/core/call.ts';
import { decide } from '../../src/core/decide/decide.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { policyFrom, POSIX } from '../support/policy.ts';

const TEXT = '# mine\n[[rule]]\nid = "ask"\naction = "prompt"\ntool = "**"\n';
const ASKED = { index: 0, action: 'prompt', id: 'ask' } as const;

async function choicesOf(call: Call) {
  const found = await alwaysChoices(TEXT, { file: '/p/policy.toml', asked: ASKED, call, now: 0 });
  if (!found.ok) throw new Error(found.reason);
  return found.choices;
}

const tool = (args: JsonObject, name = 'write_file'): Call => ({ method: 'tools/call', server: 's', tool: name, args });

describe('alwaysChoices', () => {
  it.each<[string, Call, readonly string[]]>([
    ['a file', tool({ path: '/srv/site/a.md' }), ['exact', 'folder', 'any']],
    ['two files', tool({ from: '/srv/a/x', to: '/srv/b/y' }, 'copy_file'), ['exact', 'folder', 'any']],
    ['a file and a text with slashes', tool({ path: '/srv/site/a.md', content: 'a/b' }), ['exact', 'folder', 'any']],
    ['no file', tool({ n: 1 }), ['exact', 'any']],
    ['a file in a home', tool({ path: '/home/u/notes.md' }), ['exact', 'any']],
    ['a file in a folder of the system', tool({ path: '/etc/hosts' }), ['exact', 'any']],
    ['a path that climbs', tool({ path: '/srv/site/../../etc/x/y' }), ['exact', 'any']],
    ['a path with a wildcard', tool({ path: '/srv/*/a/b' }), ['exact', 'any']],
    ['a path that may be decoded', tool({ path: '/srv/site/%2e%2e/a' }), ['exact', 'any']],
    ['another path that is free', tool({ path: '/srv/site/a', target: '../x' }), ['exact', 'any']],
    ['a short path that is free', tool({ source: '/srv/site/a', destinationFile: 'b' }, 'move_file'), ['exact', 'any']],
    ['a path of two lines', tool({ path: '/srv/site/a', to: '/srv/other/b\n' }, 'move_file'), ['exact', 'any']],
    ['a path with a character that is not seen', tool({ path: '/srv/\u202Esite/a' }), ['exact', 'any']],
    ['a home on another disk', tool({ path: '/mnt/c/Users/u/a' }), ['exact', 'any']],
    ['paths in a list', tool({ path: '/srv/site/a', more: ['/etc/passwd'] }), ['exact', 'any']],
    ['an argument that is no plain name', tool({ '**': '/srv/site/a' }), ['exact', 'any']],
    ['an argument named like an operator', tool({ equals: '/srv/site/a' }), ['exact', 'any']],
    ['a command', tool({ command: 'ls /srv/site' }, 'bash'), ['exact']],
    ['a command by its argument', tool({ command: 'ls', cwd: '/srv/site/a' }, 'do_it'), ['exact']],
    ['what destroys', tool({ path: '/srv/site/a' }, 'delete_repository'), ['exact']],
    ['a statement that reads', tool({ sql: 'select 1' }, 'query'), ['exact']],
    ['a statement about a file', tool({ path: '/srv/site/a.db', options: { query: 'select 1' } }, 'run_query'), ['exact']],
    ['what is looked for', tool({ query: 'select' }, 'web_search'), ['exact', 'any']],
    ['an action', tool({ action: 'list' }, 'branches'), ['exact']],
    ['a resource', { method: 'resources/read', server: 's', resource: 'file:///srv/site/a' }, ['exact', 'folder']],
    ['a resource at any host', { method: 'resources/read', server: 's', resource: 'https://*/site/a/b' }, ['exact']],
    ['a resource that is no file', { method: 'resources/read', server: 's', resource: 'db:1' }, ['exact']],
    ['a prompt', { method: 'prompts/get', server: 's', prompt: 'p', args: { a: 'b' } }, ['exact', 'any']],
    ['another method', { method: 'sampling/createMessage', server: 's', args: { messages: [] } }, ['exact']],
  ])('%s', async (_name, call, widths) => {
    const choices = await choicesOf(call);
    expect(choices.map(({ width }) => width)).toEqual(widths);
    for (const { after, diff, rule, fixture, words } of choices) {
      const decision = decide(call, { policy: compilePolicy(policyFrom(after)), paths: POSIX, realPaths: new Map() });
      expect(decision).toMatchObject({ action: 'allow', rule: { index: 0 } });
      expect(after.endsWith(TEXT.slice('# mine\n'.length))).toBe(true);
      expect(after).toContain(rule);
      expect(rule).toContain(`always allow ${words}`);
      expect(diff.startsWith('--- /p/policy.toml\n')).toBe(true);
      if (fixture !== undefined) expect(fixture.file).toMatch(/^\/p\/fixtures\/remembered-[0-9a-f]{8}\.json$/);
    }
  });

  it('holds a wider rule to its folders, and to this tool', async () => {
    const [, folder, any] = await choicesOf(tool({ path: '/srv/site/a.md' }));
    const actionOf = (text = '', call: Call): string =>
      decide(call, { policy: compilePolicy(policyFrom(text)), paths: POSIX, realPaths: new Map() }).action;
    for (const path of ['/srv/site/b', '/srv/site/x/y']) expect(actionOf(folder?.after, tool({ path }))).toBe('allow');
    for (const path of ['/srv/sites/b', '/srv/site/../b', '/srv/site/..%2fb', 'b', '']) {
      expect(actionOf(folder?.after, tool({ path }))).toBe('prompt');
    }
    expect(actionOf(folder?.after, tool({ path: ['/srv/site/b', '/etc/x'] }))).toBe('prompt');
    expect(actionOf(any?.after, tool({ path: '/x' }))).toBe('allow');
    expect(actionOf(any?.after, tool({ path: '/x' }, 'write_files'))).toBe('prompt');
    expect(actionOf(any?.after, { ...tool({ path: '/x' }), server: 'other' })).toBe('prompt');
  });
});
