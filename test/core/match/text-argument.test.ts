import { describe, expect, it } from 'vitest';
import { selectArgs } from '../../../src/core/match/args.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { isOnePath, kindOfArgument } from '../../../src/core/match/text-argument.ts';
import type { ArgStep } from '../../../src/core/policy/types.ts';
import { decideBy } from '../../support/policy.ts';

it.each([
  ['content', 'text'],
  ['issue_body', 'text'],
  ['newText', 'change'],
  ['old_string', 'change'],
  ['insertLines', 'change'],
  ['new', 'other'],
  ['new_source', 'text'],
  ['body-html', 'text'],
  ['excludePatterns', 'text'],
  ['exclude', 'text'],
  ['Search Query', 'text'],
  ['content_path', 'place'],
  ['body_file', 'place'],
  ['source', 'place'],
  ['url', 'place'],
  ['command', 'command'],
  ['shellScript', 'command'],
  ['cwd', 'place'],
  ['input', 'patch'],
  ['patchText', 'patch'],
  ['patch_path', 'place'],
  ['text_input', 'patch'],
  ['textarea', 'other'],
  ['content\0path', 'text'],
  ['', 'other'],
])('%j is %s', (name, kind) => {
  expect(kindOfArgument(name)).toBe(kind);
});

it.each([
  ['/etc/shadow', true],
  [' ~/.ssh/id_rsa ', true],
  ['./x', true],
  ['../x', true],
  ['C:\\Users\\ann', true],
  ['\\\\host\\share', true],
  ['$HOME/.ssh', true],
  ['%2Fetc%2Fshadow', true],
  ['file:///etc/shadow', true],
  ['http://169.254.169.254/x', true],
  ['~/Library/Application Support/Google/Chrome/Default/Login Data', true],
  ['.env', false],
  ['in ~/.ssh/config', false],
  ['~/.ssh/config is where they are', false],
  ['/home/me/.aws/credentials\n', false],
  ['node_modules\n/.env', false],
  ['\\.ssh/id_', false],
])('%j is one path: %s', (text, expected) => {
  expect(isOnePath(text)).toBe(expected);
});

const DEEP: ArgStep[] = [{ kind: 'deep' }];
const prose = (args: JsonObject, path: readonly ArgStep[] = DEEP): string[] => [...(selectArgs(args, path).prose ?? [])];

describe('what is only to be read', () => {
  it.each<[JsonObject, string[]]>([
    [{ body: 'a b', path: 'x' }, ['a b']],
    [{ body: '/x' }, []],
    [{ body: 'same', path: 'same' }, []],
    [{ path: 'same', body: 'same' }, []],
    [{ values: [['Login Data', '~/.ssh/config']] }, ['Login Data']],
    [{ values: ['Login Data'] }, []],
    [{ values: [['.env'], '.env'] }, []],
    [{ paths: [['.env']] }, []],
    [{ payload: 'in ~/.ssh/config' }, ['in ~/.ssh/config']],
    [{ payload: '{"file":".env"}' }, []],
    [{ payload: { target: '.env' } }, []],
    [{ blocks: [{ text: { type: 'mrkdwn', text: 'a b' } }] }, ['mrkdwn', 'a b']],
    [{ content: { path: 'x', note: 'y' } }, ['y']],
    [{ edits: [{ oldText: 'a', path: 'p' }] }, ['a']],
    [{ content: '{"file":".env"}' }, ['{"file":".env"}', '.env', 'file']],
    [{ files: '[{"content":"a b","path":"p"}]' }, ['a b']],
    [{ content: '{"file":"p"}', path: 'p' }, ['{"file":"p"}', 'file']],
  ])('of %j is %j', (args, expected) => {
    expect(prose(args).toSorted()).toEqual(expected.toSorted());
  });

  it('is nothing that a rule names', () => {
    expect(prose({ body: 'a b' }, [{ kind: 'name', name: 'body' }])).toEqual([]);
    expect(prose({ a: { body: 'a b' } }, [{ kind: 'deep' }, { kind: 'name', name: 'body' }])).toEqual([]);
    expect(prose({ body: { x: 'a b' } }, [{ kind: 'name', name: 'body' }, { kind: 'deep' }])).toEqual([]);
    expect(prose({ body: 'a b' }, [{ kind: 'any' }])).toEqual(['a b']);
  });
});

describe('rules with a wildcard', () => {
  const decided = (lines: string, tool: string, args: JsonObject): string =>
    decideBy(`[defaults]\naction = "allow"\n[[rule]]\naction = "deny"\ntool = "**"\n${lines}`, { tool, args }).action;
  const PATH = 'args."**" = "**/.ssh/**"';

  it('take a text for a path only where the tool runs commands, or the rule names it', () => {
    const args = { body: 'in ~/.ssh/config' };
    expect(decided(PATH, 'create_issue', args)).toBe('allow');
    expect(decided(PATH, 'bash', args)).toBe('deny');
    expect(decided(PATH, 'create_issue', { ...args, command: 'x' })).toBe('deny');
    expect(decided('args.body = "**/.ssh/**"', 'create_issue', args)).toBe('deny');
    expect(decided(PATH, 'create_issue', { body: '~/.ssh/config' })).toBe('deny');
    expect(decided(PATH, 'create_issue', { body: ['x', { file: '.ssh/config' }], file: '/home/.ssh/x' })).toBe('deny');
  });

  it('go on to look for other patterns in it', () => {
    expect(decided('args."**" = "*secret*"', 'create_issue', { body: 'a secret' })).toBe('deny');
    expect(decided('args."**" = { regex = "secret" }', 'create_issue', { body: 'a secret' })).toBe('deny');
    expect(decided('args."**" = { not = "/srv/**" }', 'create_issue', { body: 'in /etc/x' })).toBe('deny');
  });

  it('allow nothing more', () => {
    const allowed = (args: JsonObject): string =>
      decideBy('[[rule]]\naction = "allow"\ntool = "**"\nargs."**" = "/srv/**"', { tool: 'create_issue', args }).action;
    expect(allowed({ path: '/srv/x' })).toBe('allow');
    expect(allowed({ path: '/srv/x', body: 'in ~/.ssh/config' })).toBe('deny');
  });
});
