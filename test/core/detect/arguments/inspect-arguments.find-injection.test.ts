import { describe, expect, it } from 'vitest';
import { argumentKind } from '../../../../src/core/detect/arguments/argument.ts';
import { findInjection } from '../../../../src/core/detect/arguments/inspect-arguments.ts';
import { normalise } from '../../../../src/core/detect/normalise/normalise.ts';

function found(name: string, sent: string): string[] {
  const { plain, at } = normalise(sent);
  return findInjection({ field: `arguments.${name}`, name, kind: argumentKind(name, sent), sent, plain, at }).map(
    ({ rule }) => rule,
  );
}

describe('findInjection', () => {
  it.each([
    ['branch', 'a; rm -rf b', 'shell_injection.argument'],
    ['branch', '$(id)', 'shell_injection.argument'],
    ['url', 'https://example.com/;id', 'shell_injection.argument'],
  ])('%s = %j', (name, value, rule) => {
    expect(found(name, value)).toEqual([rule]);
  });

  it.each([
    ['branch', 'a;b'],
    ['command', 'a; rm -rf b'],
    ['content', '$(id)'],
    ['url', 'https://example.com/?a&id'],
  ])('not %s = %j', (name, value) => {
    expect(found(name, value)).toEqual([]);
  });
});
