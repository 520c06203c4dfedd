import { describe, expect, it } from 'vitest';
import type { Definition } from '../../../src/core/registry/definition.ts';
import { ListPages, MOST_NAMES } from '../../../src/gate/definitions/list-pages.ts';

function tools(...names: readonly string[]): readonly Definition[] {
  return names.map((name) => ({ kind: 'tool', name, text: '{}', fingerprint: `sha256:${name}` }));
}

describe('ListPages', () => {
  it('puts the pages of a list together', () => {
    const pages = new ListPages();
    expect(pages.follow('tool', tools('a', 'b'), { cursor: '', next: 'c1' })).toBeUndefined();
    expect(pages.follow('tool', tools('c'), { cursor: 'c1', next: 'c2' })).toBeUndefined();
    expect(pages.follow('tool', tools('b', 'd'), { cursor: 'c2', next: undefined })).toEqual(new Set(['a', 'b', 'c', 'd']));
    expect(pages.follow('tool', tools('e'), { cursor: 'c2', next: undefined })).toBeUndefined();
  });

  it('keeps kinds apart', () => {
    const pages = new ListPages();
    pages.follow('tool', tools('a'), { cursor: '', next: 'c1' });
    expect(pages.follow('prompt', [], { cursor: '', next: undefined })).toEqual(new Set());
    expect(pages.follow('tool', tools('b'), { cursor: 'c1', next: undefined })).toEqual(new Set(['a', 'b']));
  });

  it.each(['', 'c1', undefined])(
    'says nothing of a list whose beginning was not seen, or that goes on elsewhere: %j',
    (first) => {
      const pages = new ListPages();
      if (first !== undefined) pages.follow('tool', tools('a'), { cursor: first, next: 'c2' });
      expect(pages.follow('tool', tools('b'), { cursor: 'made up', next: undefined })).toBeUndefined();
      expect(pages.follow('tool', tools('b'), { cursor: undefined, next: undefined })).toBeUndefined();
    },
  );

  it('goes on after a page that was no part of the list', () => {
    const pages = new ListPages();
    pages.follow('tool', tools('a'), { cursor: '', next: 'c1' });
    pages.follow('tool', tools('x'), { cursor: 'made up', next: 'c9' });
    expect(pages.follow('tool', tools('b'), { cursor: 'c1', next: undefined })).toEqual(new Set(['a', 'b']));
  });

  it('a new beginning forgets the old list', () => {
    const pages = new ListPages();
    pages.follow('tool', tools('a'), { cursor: '', next: 'c1' });
    pages.follow('tool', tools('b'), { cursor: '', next: 'c1' });
    expect(pages.follow('tool', [], { cursor: 'c1', next: undefined })).toEqual(new Set(['b']));
  });

  it('knows what earlier pages of the same list had', () => {
    const pages = new ListPages();
    pages.follow('tool', tools('a'), { cursor: '', next: 'c1' });
    expect(pages.earlier('tool', 'c1', 'a')).toBe('sha256:a');
    expect(pages.earlier('tool', 'c1', 'b')).toBeUndefined();
    expect(pages.earlier('tool', 'c2', 'a')).toBeUndefined();
    expect(pages.earlier('tool', '', 'a')).toBeUndefined();
    expect(pages.earlier('prompt', undefined, 'a')).toBeUndefined();
  });

  it('gives up a list without end', () => {
    const pages = new ListPages();
    const many = tools(...Array.from({ length: MOST_NAMES / 10 }, (_, index) => `t${index}`));
    pages.follow('tool', [], { cursor: '', next: 'same' });
    for (let page = 0; page < 11; page++) {
      const others = many.map((tool) => ({ ...tool, name: `${tool.name}.${page}` }));
      expect(pages.follow('tool', others, { cursor: 'same', next: 'same' })).toBeUndefined();
    }
    expect(pages.earlier('tool', 'same', 't0.0')).toBeUndefined();
    expect(pages.follow('tool', [], { cursor: 'same', next: undefined })).toBeUndefined();
  });
});
