import { describe, expect, it } from 'vitest';
import { isContentName, isDestinationName, isPathName, isRemovingProgram, isRemovingTool } from '../../../src/core/self/names.ts';

function picked(test: (name: string) => boolean, names: readonly string[]): string[] {
  return names.filter(test);
}

describe('names', () => {
  it('of contents, paths, destinations and removals', () => {
    expect(picked(isContentName, ['content', 'newText', 'old_string', 'query', 'path', 'thing'])).toEqual([
      'content',
      'newText',
      'old_string',
      'query',
    ]);
    expect(picked(isPathName, ['filePath', 'dir', 'url', 'source', 'query', 'city'])).toEqual([
      'filePath',
      'dir',
      'url',
      'source',
    ]);
    expect(picked(isDestinationName, ['destination', 'new_path', 'to', 'source', 'tone'])).toEqual([
      'destination',
      'new_path',
      'to',
    ]);
    expect(picked(isRemovingTool, ['delete_file', 'rm', 'moveFile', 'read', 'remote_call'])).toEqual([
      'delete_file',
      'rm',
      'moveFile',
    ]);
    expect(picked(isRemovingProgram, ['rm', '/bin/rm', 'mv', 'firm', 'ls'])).toEqual(['rm', '/bin/rm', 'mv']);
  });

  it('are the same whether they were asked for before or not, and however many were', () => {
    const asked = (): boolean[] => [
      isRemovingTool('delete_file'),
      isRemovingTool('read_file'),
      isRemovingTool(`delete_${'x'.repeat(99)}`),
    ];
    const first = asked();
    expect(first).toEqual([true, false, true]);
    for (let i = 0; i < 1000; i++) isRemovingTool(`tool_${i}`);
    expect(asked()).toEqual(first);
  });
});
