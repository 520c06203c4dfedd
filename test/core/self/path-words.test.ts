import { describe, expect, it } from 'vitest';
import { findPathWords, leadsFromVariable } from '../../../src/core/self/path-words.ts';
import { ownOf } from '../../support/own.ts';
import { POSIX } from '../../support/policy.ts';

const OWN = ownOf(['/home/user/.config/clawai', '/home/user/.claude.json']);

function wordsOf(text: string): string[] {
  return [...findPathWords(text, OWN, POSIX).words.keys()];
}

describe('findPathWords', () => {
  it('takes words that may be paths, and parts of words', () => {
    expect(wordsOf('npm test')).toEqual([]);
    expect(wordsOf('cat a/b c')).toEqual(['a/b']);
    expect(wordsOf('x --file=/a -C/b @/c')).toEqual(expect.arrayContaining(['/a', '/b', '/c']));
    expect(wordsOf('rm clawai other')).toEqual(['clawai']);
    expect(wordsOf('cat "/a b/c"')).toContain('/a b/c');
  });

  it('knows where a command goes', () => {
    expect(findPathWords('cd ~/.config && rm x', OWN, POSIX).folders).toContain('~/.config');
  });

  it('knows what is taken away, and what things are only moved to', () => {
    const removed = (text: string): string[] =>
      [...findPathWords(text, OWN, POSIX).words.values()].filter(({ isRemoved }) => isRemoved).map(({ text: word }) => word);
    expect(removed('ls /a; rm -rf /b /c')).toEqual(expect.arrayContaining(['/b', '/c']));
    expect(removed('mv /a /b')).toEqual(['/a']);
    expect(removed('find /a -delete')).toEqual(['/a']);
    expect(removed('ls /a')).toEqual([]);
  });
});

describe('leadsFromVariable', () => {
  it.each([
    ['$XDG_CONFIG_HOME/clawai', true],
    ['${X}/clawai/policy.toml', true],
    ['$X/.config/clawai', true],
    ['$X/.claude.json', true],
    ['$X/claude.json', false],
    ['$X/clawai-x', false],
    ['/clawai', false],
  ])('%s: %s', (word, expected) => {
    expect(leadsFromVariable(word, OWN)).toBe(expected);
  });
});
