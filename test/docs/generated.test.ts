import { describe, expect, it } from 'vitest';
import { formatKeys } from '../../build/docs/key-tables.ts';
import { GENERATED_PAGES, generatePage } from '../../build/docs/pages.ts';
import { fillRegions } from '../../build/docs/regions.ts';
import { EVENT_TYPES } from '../../src/audit/event-types.ts';
import { readSource } from '../structure/source.ts';

describe('generated regions', () => {
  it.each(GENERATED_PAGES)('%s is as the code says; else: npm run docs:generate', async (page) => {
    const text = readSource(page);
    expect(text).toBe(await generatePage(page, text));
  });

  it('are replaced, and nothing around them', () => {
    const page = 'before\n<!-- generated: a -->\nold\n<!-- end of generated -->\nafter\n';
    const filled = 'before\n<!-- generated: a -->\n\nnew\n\n<!-- end of generated -->\nafter\n';
    expect(fillRegions(page, { a: () => 'new' })).toBe(filled);
    expect(fillRegions(filled, { a: () => 'new' })).toBe(filled);
  });

  it.each([
    ['the page has no generated region', 'text\n'],
    ['nothing generates b here', '<!-- generated: b -->\n<!-- end of generated -->\n'],
    ['the region a has no end', '<!-- generated: a -->\nold\n'],
  ])('%s', (message, page) => {
    expect(() => fillRegions(page, { a: () => 'new' })).toThrow(message);
  });
});

describe('tables of keys', () => {
  it('have names of inner keys, defaults, values and bounds', () => {
    const named = { type: 'object', properties: { rpm: { type: 'number', description: 'Calls a minute.' } } } as const;
    const table = formatKeys(
      {
        properties: {
          action: { enum: ['allow', 'deny'], default: 'deny', description: 'What becomes of it.' },
          depth: { type: 'integer', minimum: 1, maximum: 9, description: 'How deep.' },
          server: { type: 'object', additionalProperties: named },
          pattern: { type: 'array', items: { type: 'object', properties: { name: { description: 'a | b' } } } },
          args: { $ref: '#/definitions/args' },
        },
      },
      { args: { description: 'By name.' } },
    );
    expect(table.split('\n').slice(2)).toEqual([
      '| `action` | `"deny"` | What becomes of it. Values: `"allow"`, `"deny"`. |',
      '| `depth` |  | How deep. From 1 to 9. |',
      '| `server.NAME.rpm` |  | Calls a minute. |',
      '| `pattern[].name` |  | a \\| b |',
      '| `args` |  | By name. |',
    ]);
  });

  it('do not repeat the keys of the table around', () => {
    const tool = { description: 'The tools.' };
    const table = formatKeys({ properties: { tool, unless: { description: 'Not these.', properties: { tool } } } });
    expect(table.split('\n').slice(2)).toEqual(['| `tool` |  | The tools. |', '| `unless` |  | Not these. |']);
  });
});

it('docs/events.md names every type of event', () => {
  const named = [...readSource('docs/events.md').matchAll(/^\| `((?:mcp|llm|dlp)_[a-z_]+)` \|/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...EVENT_TYPES].toSorted());
});
