import { describe, expect, it } from 'vitest';
import { isWordsName, joinBeside, joinWords, mayBeLine } from '../../../src/core/shell/command-line.ts';
import { ExactNumber, type JsonObject } from '../../../src/core/json.ts';

const quote = (word: string): string => `<${word}>`;

describe('isWordsName', () => {
  it.each([
    'args',
    'argv',
    'command',
    'CMD',
    'cmdArgs',
    'shell_command',
    'command_line',
    'commandLine',
    'cmdline',
    'run',
    'exec',
  ])('%s is one, and may be a line', (name) => {
    expect([isWordsName(name), mayBeLine(name)]).toEqual([true, true]);
  });

  it.each(['commands', 'paths', 'run_ids', 'programs', 'tags', 'trash', 'polish', `${'a'.repeat(100_000)}1_sh1`, ''])(
    '%s is none',
    (name) => {
      expect(isWordsName(name)).toBe(false);
    },
  );
});

describe('joinWords', () => {
  it('joins texts and numbers, and leaves out all else', () => {
    expect(joinWords(['kill', '-9', 12, new ExactNumber('1.0'), null, {}, ['x']])).toBe('kill -9 12 1.0');
    expect(joinWords(['a b', 'c'], quote)).toBe('<a b> <c>');
  });

  it.each([[[]], [['ls -l']], [[1, null]]])('%j says no more than its words', (list) => {
    expect(joinWords(list)).toBeUndefined();
  });
});

describe('joinBeside', () => {
  it.each<[string, JsonObject, string]>([
    ['command', { command: 'rm', args: ['-rf', 'a b'] }, 'rm <-rf> <a b>'],
    ['cmd', { argv: '-rf /', cmd: ['sudo', 'rm'] }, '<sudo> <rm> -rf /'],
    ['program', { program: 'x', flags: ['-a'], args: ['b'] }, 'x <b> <-a>'],
    ['path', { path: '/bin/rm', arguments: ['x'] }, '/bin/rm <x>'],
  ])('%s of %j', (name, node, line) => {
    expect(joinBeside(node, name, quote)).toBe(line);
    expect(mayBeLine(name)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['command', { command: 'rm' }],
    ['command', { command: '', args: ['x'] }],
    ['command', { command: {}, args: ['x'] }],
    ['command', { command: 'rm', args: [] }],
    ['args', { command: 'rm', args: ['x'] }],
    ['path', { path: '/x', options: ['a'] }],
    ['command', { command: 'rm', tags: ['x'] }],
  ])('%s of %j is none', (name, node) => {
    expect(joinBeside(node, name)).toBeUndefined();
  });
});
