import { describe, expect, it } from 'vitest';
import { isFileMatch } from '../../src/clients/file-glob.ts';

describe('isFileMatch', () => {
  it.each<[name: string, glob: string, isMatch: boolean]>([
    ['a.json', '*.json', true],
    ['.json', '*.json', true],
    ['.a.json', '*.json', true],
    ['a.jsonc', '*.json', false],
    ['a.schema.json', '*.schema.json', true],
    ['a[b](c).json', '*.json', true],
    ['{a,b}.json', '*.json', true],
    ['!a.json', '*.json', true],
    ['café ☕.yaml', '*.yaml', true],
    ['server-1', 'server-*', true],
    ['server-', 'server-*', true],
    ['a/b', '*', false],
  ])('%s, %s: %s', (name, glob, isMatch) => {
    expect(isFileMatch(name, glob)).toBe(isMatch);
  });
});
