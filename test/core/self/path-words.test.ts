import { describe, expect, it } from 'vitest';
import { findPathWords, leadsFromVariable, type PathWord } from '../../../src/core/self/path-words.ts';
import { ownOf } from '../../support/own.ts';
import { POSIX } from '../../support/policy.ts';

const OWN = ownOf(['/home/user/.config/clawai', '/home/user/.claude.json']);

function find(text: string): readonly PathWord[] {
  return findPathWords(text, { own: OWN, paths: POSIX, isShell: true });
}

function wordsOf(text: string): string[] {
  return find(text).map((word) => word.text);
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
    const folders = (text: string, word: string): unknown => find(text).find((each) => each.text === word)?.folders;
    expect(folders('cd ~/.config && rm clawai', 'clawai')).toEqual(['~/.config']);
    expect(folders('cd ~/.config; rm clawai', 'clawai')).toEqual(['~/.config', '']);
    expect(folders('rm clawai; cd ~/.config', 'clawai')).toEqual(['']);
  });

  it('passes over a pattern for any name that is in quotes, or all there is', () => {
    expect(wordsOf(`rg '.*'`)).toEqual([]);
    expect(wordsOf('.*')).toEqual([]);
    expect(wordsOf('rm .*')).toEqual(['.*']);
    expect(wordsOf(`rm '.cl*'`)).toEqual(['.cl*']);
  });

  it('knows what is taken away, and what things are only moved to', () => {
    const removed = (text: string): string[] =>
      find(text)
        .filter(({ isRemoved }) => isRemoved)
        .map(({ text: word }) => word);
    expect(removed('ls /a; rm -rf /b /c')).toEqual(expect.arrayContaining(['/b', '/c']));
    expect(removed('mv /a /b')).toEqual(['/a']);
    expect(removed('find /a -delete')).toEqual(['/a']);
    expect(removed('ls /a')).toEqual([]);
    expect(removed('rm -r b; ls /a')).toEqual([]);
    expect(removed('find /a -exec rm {} +')).toEqual(['/a']);
    expect(removed('cd /a && rm -r ..')).toContain('..');
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
