import { describe, expect, it } from 'vitest';
import { compileOwnPaths, holdsOwn, isOwn, NO_OWN_PATHS } from '../../../src/core/self/own-paths.ts';

describe('own paths', () => {
  const own = compileOwnPaths([{ path: '/h/link', real: '/r/target/', what: 'x' }], 'posix');

  it('are the name and where it leads, with all that lies in them', () => {
    for (const path of ['/h/link', '/h/link/x', '/r/target', '/r/target/a/b'])
      expect([path, isOwn(path, own)]).toEqual([path, true]);
    for (const path of ['/h', '/h/linked', '/r/target.x', '/r', '/x/h/link'])
      expect([path, isOwn(path, own)]).toEqual([path, false]);
  });

  it('a project has its policy anywhere', () => {
    for (const path of ['/p/.clawai', '/p/.clawai/policy.toml']) expect(isOwn(path, NO_OWN_PATHS)).toBe(true);
    for (const path of ['/p/.clawai-x', '/p/clawai', '/p/x.clawai']) expect(isOwn(path, NO_OWN_PATHS)).toBe(false);
  });

  it('lie below the folders above them', () => {
    for (const path of ['/', '/h', '/r', '/h/link']) expect(holdsOwn(path, own)).toBe(true);
    for (const path of ['/h/li', '/x', '/h/link/x']) expect(holdsOwn(path, own)).toBe(false);
  });

  it('what is not there is lost with no folder above it, and may not be put there', () => {
    const missing = compileOwnPaths([{ path: '/p/bin/clawai', real: '/p/bin/clawai', what: 'x', isMissing: true }], 'posix');
    expect([isOwn('/p/bin/clawai', missing), holdsOwn('/p/bin', missing)]).toEqual([true, false]);
  });

  it('a mistake does not make everything ours', () => {
    const all = compileOwnPaths(
      ['/', '/home', ''].map((path) => ({ path, real: path, what: 'x' })),
      'posix',
    );
    expect(all.roots).toEqual([]);
  });

  it('are folded as the platform folds names', () => {
    expect(isOwn('/users/u/x', compileOwnPaths([{ path: '/Users/U/X', real: '/Users/U/X', what: 'x' }], 'macos'))).toBe(true);
    const windows = compileOwnPaths([{ path: 'C:\\A\\B', real: '\\\\?\\C:\\A\\B', what: 'x' }], 'windows');
    expect(windows.roots).toEqual(['c:/a/b']);
  });
});
