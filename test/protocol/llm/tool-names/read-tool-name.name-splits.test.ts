import { describe, expect, it } from 'vitest';
import type { NameForm } from '../../../../src/protocol/llm/tool-names/client-style.ts';
import { readMark, splitName } from '../../../../src/protocol/llm/tool-names/read-tool-name.ts';

function form(more: Partial<NameForm>): NameForm {
  return { prefix: 'mcp__', separator: '__', server: (server) => [server], tool: (tool) => tool, mark: 'prefix', ...more };
}

const pairs = (name: string, of: Partial<NameForm> = {}, group?: string): string[] =>
  splitName(form(of), name, group).map(({ server, tool }) => `${server} ${tool}`);

describe('splitName', () => {
  it('takes a name apart at every separator, overlapping ones too', () => {
    expect(pairs('mcp__a__b__c')).toEqual(['a b__c', 'a__b c']);
    expect(pairs('mcp__a___b')).toEqual(['a _b', 'a_ b']);
    expect(pairs('mcp__a')).toEqual([]);
    expect(pairs('a__b')).toEqual([]);
    expect(pairs('a_b', { prefix: '', separator: '_' })).toEqual(['a b']);
  });

  it('takes a group as it is, where the style has groups', () => {
    expect(pairs('b__c', { isGrouped: true }, 'mcp__a__x')).toEqual(['a__x b__c']);
    expect(pairs('b', { isGrouped: true }, 'a')).toEqual([]);
    expect(pairs('mcp__a__b', {}, 'mcp__a')).toEqual([]);
  });
});

describe('readMark', () => {
  const read = (name: string, of: Partial<NameForm>, group?: string): string | undefined => {
    const split = readMark(form(of), name, group);
    return split === undefined ? undefined : `${split.server}|${split.tool}`;
  };

  it.each<[string, Partial<NameForm>, string | undefined]>([
    ['mcp__a__b__c', {}, 'a|b__c'],
    ['mcp__a', {}, '|a'],
    ['mcp____b', {}, '|__b'],
    ['a__b', {}, undefined],
    ['a__b', { prefix: '', mark: 'both_parts' }, 'a|b'],
    ['__b', { prefix: '', mark: 'both_parts' }, undefined],
    ['a__', { prefix: '', mark: 'both_parts' }, undefined],
    ['a_b', { prefix: '', separator: '_', mark: 'none' }, undefined],
  ])('%s %j: %s', (name, of, expected) => {
    expect(read(name, of)).toBe(expected);
  });

  it('a group shows it by its prefix only', () => {
    expect(read('b', { isGrouped: true }, 'mcp__a')).toBe('a|b');
    expect(read('b', { isGrouped: true, prefix: '', mark: 'both_parts' }, 'a')).toBeUndefined();
  });
});
