import { describe, expect, it } from 'vitest';
import type { Definition, PinRecord } from '../../../src/core/registry/definition.ts';
import { combineDefinitions, instructionsDefinition, toDefinition } from '../../../src/core/registry/fingerprint.ts';
import { findRenamed } from '../../../src/core/registry/compare.ts';
import { tool } from './definitions.ts';

function gone({ kind, name, fingerprint }: Definition): PinRecord {
  return { kind, name, pinned: undefined, seen: fingerprint, isListed: true };
}

function find(before: readonly Definition[], added: readonly Definition[]) {
  return [...findRenamed(added, before.map(gone))];
}

describe('findRenamed', () => {
  it.each<[title: string, before: Definition[], added: Definition[], expected: [string, string][]]>([
    ['the same but for its name', [tool('old')], [tool('new')], [['new', 'old']]],
    ['another', [tool('old', { v: 1 })], [tool('new', { v: 2 })], []],
    [
      'one for one',
      [tool('a'), tool('b')],
      [tool('c'), tool('d'), tool('e')],
      [
        ['c', 'a'],
        ['d', 'b'],
      ],
    ],
    ['members on both sides of the name', [tool('old', { a: 1, z: 2 })], [tool('new', { z: 2, a: 1 })], [['new', 'old']]],
    ['a name that is escaped', [tool('"\ud800\n')], [tool('new')], [['new', '"\ud800\n']]],
    ['several of one name', [tool('old')], [combineDefinitions([tool('new'), tool('new')])], []],
    ['instructions', [instructionsDefinition('a')], [instructionsDefinition('a')], []],
  ])('%s', (_title, before, added, expected) => {
    expect(find(before, added)).toEqual(expected);
  });

  it.each([
    ['prompt', 'name'],
    ['resource', 'uri'],
    ['resource_template', 'uriTemplate'],
  ] as const)('finds a %s by its %s', (kind, member) => {
    const of = (name: string) => toDefinition(kind, { _meta: 1, title: 'x', zoom: 2, [member]: name }) ?? tool('none');
    expect(find([of('file:///a')], [of('file:///b')])).toEqual([['file:///b', 'file:///a']]);
  });

  it('finds what it was when it was trusted, and what it was last', () => {
    const [trusted, seen] = [tool('old', { v: 1 }), tool('old', { v: 2 })];
    const record = { ...gone(seen), pinned: trusted.fingerprint };
    const of = (v: number) => [...findRenamed([tool('new', { v })], [record])];
    expect([of(1), of(2), of(3)]).toEqual([[['new', 'old']], [['new', 'old']], []]);
    expect([...findRenamed([tool('new')], [{ ...gone(seen), pinned: '' }])]).toEqual([]);
  });

  it('finds what had gone earlier, after what has gone just now', () => {
    const earlier = { ...gone(tool('a')), isListed: false };
    expect([...findRenamed([tool('new')], [earlier])]).toEqual([['new', 'a']]);
    expect([...findRenamed([tool('new'), tool('newer')], [earlier, gone(tool('b'))])]).toEqual([
      ['new', 'b'],
      ['newer', 'a'],
    ]);
  });

  it('much that had gone earlier hides nothing that has gone just now', () => {
    const earlier = Array.from({ length: 9000 }, (_, index) => ({ ...gone(tool(`o${index}`, { v: 'o' })), isListed: false }));
    const [added, last] = [tool('x', { v: 'x' }), tool('new')];
    expect([...findRenamed([added, last], [...earlier, gone(tool('old'))])]).toEqual([['new', 'old']]);
  });

  it('does not look without end', () => {
    const many = (prefix: string) => Array.from({ length: 3000 }, (_, index) => tool(`${prefix}${index}`, { v: prefix }));
    const [before, after] = [tool('old', { v: 'c' }), tool('new', { v: 'c' })];
    expect(find([before], [...many('b').slice(0, 10), after])).toEqual([['new', 'old']]);
    expect(find([...many('a'), before], [...many('b'), after])).toEqual([]);
  });
});
