import { describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/core/json.ts';
import { expandTemplate, matchesTemplate } from '../../../src/core/registry/uri-template.ts';

const VALUES = { path: '/a b/c', q: 'x', n: new ExactNumber('1.0') };

describe('expandTemplate', () => {
  it.each([
    ['file:///{path}', 'file:////a b/c'],
    ['file://{+path}{#q}', 'file:///a b/c#x'],
    ['find://all{?q,page,n}{&q}', 'find://all?q=x&n=1.0&q=x'],
    ['x://h{/q,n}{;q}{.n}', 'x://h/x/1.0;q=x.1.0'],
    ['x://{q:2}/{q*}/{other}/{}', 'x://x/x//'],
    ['x://{other}', 'x://{other}'],
    ['x://{toString}/{__proto__}', 'x://{toString}/{__proto__}'],
    ['x://{q', 'x://{q'],
    ['x://{{q}}', 'x://{x}'],
  ])('%s comes to %s', (template, expected) => {
    expect(expandTemplate(template, VALUES)).toBe(expected);
    if (expected !== 'x://{x}') expect(matchesTemplate(template, expected)).toBe(true);
  });

  it('a value that is named again and again comes to no more than a million characters', () => {
    expect(expandTemplate('{v}'.repeat(1000), { v: 'x'.repeat(1000) })).toHaveLength(1_000_000);
    expect(expandTemplate('{v}'.repeat(100_000), { v: 'x'.repeat(100_000) })).toBeUndefined();
  });
});
