import { describe, expect, it } from 'vitest';
import { argumentDetection, argumentKind } from '../../../../src/core/detect/arguments/argument.ts';

describe('argumentKind', () => {
  it.each([
    ['path', 'a.txt', 'path'],
    ['filePath', 'a.txt', 'path'],
    ['output_file', 'a b.txt', 'path'],
    ['anything', './a/b', 'path'],
    ['uri', 'file:///a/b', 'path'],
    ['url', 'https://example.com', 'url'],
    ['anything', 'https://example.com/a', 'url'],
    ['command', 'ls', 'command'],
    ['shellCommand', 'ls', 'command'],
    ['content', 'a', 'text'],
    ['newText', 'a; b', 'text'],
    ['path', 'a\nb', 'text'],
    ['anything', 'a'.repeat(300), 'text'],
    ['branch', 'main', 'word'],
  ])('%s = %j is for a %s', (name, value, kind) => {
    expect(argumentKind(name, value)).toBe(kind);
  });
});

describe('argumentDetection', () => {
  it('takes the family from the rule', () => {
    const argument = {
      field: 'arguments.a',
      name: 'a',
      kind: 'word',
      sent: 'x y',
      plain: 'x y',
      at: (offset: number) => offset,
    } as const;
    expect(
      argumentDetection(argument, { rule: 'path_traversal.climb', severity: 'medium', description: 'why', start: 2, end: 3 }),
    ).toEqual({
      rule: 'path_traversal.climb',
      family: 'path_traversal',
      severity: 'medium',
      description: 'why',
      field: 'arguments.a',
      matches: [{ text: 'y', position: 2, context: 'x y' }],
    });
  });
});
