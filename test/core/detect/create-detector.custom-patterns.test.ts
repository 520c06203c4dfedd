import { describe, expect, it } from 'vitest';
import { createCustomPatterns } from '../../../src/core/detect/create-detector.ts';
import type { CustomPattern } from '../../../src/core/detect/types.ts';

function pattern(name: string, source: string): CustomPattern {
  return { name, pattern: source, severity: 'high', description: `about ${name}` };
}

const PATTERNS = [
  pattern('hosts', String.raw`internal\.corp\.example\.com`),
  pattern('broken', '('),
  pattern('ahead', '(?=a)'),
  pattern('words', String.raw`(?i)\bproject \w+`),
];

describe('createCustomPatterns', () => {
  const find = createCustomPatterns(PATTERNS);

  it('finds each pattern that matches, with its places in the text as sent', () => {
    const text = 'See internal.corp.example.com and Project Blue, project red';
    expect(find('description', text.toLowerCase(), text)).toEqual([
      {
        rule: 'custom.hosts',
        family: 'custom',
        severity: 'high',
        description: 'about hosts',
        field: 'description',
        matches: [
          {
            text: 'internal.corp.example.com',
            position: 4,
            context: 'See internal.corp.example.com and Project Blue, project red',
          },
        ],
      },
      {
        rule: 'custom.words',
        family: 'custom',
        severity: 'high',
        description: 'about words',
        field: 'description',
        matches: [
          { text: 'Project Blue', position: 34, context: expect.any(String) },
          { text: 'project red', position: 48, context: expect.any(String) },
        ],
      },
    ]);
  });

  it('looks at the normalised text as well', () => {
    const sent = 'See intern\u200bal.corp.example.com';
    expect(find('description', 'see internal.corp.example.com', sent)).toMatchObject([{ rule: 'custom.hosts' }]);
  });

  it('finds nothing where nothing is, and nothing with a pattern that does not compile', () => {
    expect(find('description', 'adds (numbers) aa', 'Adds (numbers) aa')).toEqual([]);
    expect(createCustomPatterns([pattern('broken', '(')])('description', '(', '(')).toEqual([]);
    expect(createCustomPatterns([])('description', 'a', 'a')).toEqual([]);
  });

  it('takes a pattern that would backtrack, on a text that would make it', () => {
    const text = `${'a'.repeat(200_000)}!`;
    const evil = createCustomPatterns([pattern('evil', '(?:a+)+$'), pattern('more', '(a|aa)+$'), pattern('found', 'a!$')]);
    expect(evil('description', text, text).map(({ rule }) => rule)).toEqual(['custom.found']);
  });

  it('tells the first few places', () => {
    expect(
      createCustomPatterns([pattern('a', 'a')])('d', 'aaaaaaa', 'aaaaaaa')[0]?.matches.map(({ position }) => position),
    ).toEqual([0, 1, 2]);
  });
});
