import { describe, expect, it } from 'vitest';
import { argumentKind } from '../../../../src/core/detect/arguments/argument.ts';
import { findTraversal } from '../../../../src/core/detect/arguments/find-traversal.ts';
import { normalise } from '../../../../src/core/detect/normalise/normalise.ts';

function found(name: string, sent: string): string[] {
  const { plain, at } = normalise(sent);
  return findTraversal({ field: `arguments.${name}`, name, kind: argumentKind(name, sent), sent, plain, at }).map(
    ({ rule }) => rule,
  );
}

describe('findTraversal', () => {
  it.each([
    ['path', '../../a', 'path_traversal.climb'],
    ['path', '..%2fa', 'path_traversal.encoded'],
    ['path', '../etc/a', 'path_traversal.into_system'],
    ['url', 'https://example.com/%2e%2e/a', 'path_traversal.encoded'],
  ])('%s = %j', (name, value, rule) => {
    expect(found(name, value)).toEqual([rule]);
  });

  it.each([
    ['path', '../a'],
    ['content', 'see ../../a'],
    ['command', 'cd ../..'],
    ['url', 'https://example.com/../../a'],
  ])('not %s = %j', (name, value) => {
    expect(found(name, value)).toEqual([]);
  });
});
