import { describe, expect, it } from 'vitest';
import { RealPaths } from '../../../src/gate/calls/real-paths.ts';

describe('RealPaths', () => {
  it('looks each path up once in a transaction, and anew in the next', () => {
    const looked: string[] = [];
    const recorder = { current: { isLost: false } };
    const paths = new RealPaths((path) => {
      looked.push(path);
      return `/real${path}`;
    }, recorder);
    expect([...paths.of(new Set(['/a', '/b']))]).toEqual([
      ['/a', '/real/a'],
      ['/b', '/real/b'],
    ]);
    paths.of(new Set(['/a']));
    expect(looked).toEqual(['/a', '/b']);
    recorder.current = { isLost: false };
    paths.of(new Set(['/a']));
    expect(looked).toEqual(['/a', '/b', '/a']);
    expect(paths.of(new Set()).size).toBe(0);
    expect([...paths.of(new Set(['/a']), new Set(), new Set(['/c', '/a'])).keys()]).toEqual(['/a', '/c']);
    expect(looked).toEqual(['/a', '/b', '/a', '/c']);
  });
});
