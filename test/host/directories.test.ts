import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateDirectory } from '../../src/host/directories.ts';

describe('stateDirectory', () => {
  it.each([
    ['linux', {}, '/home/u/.local/state/clawai'],
    ['linux', { XDG_STATE_HOME: '/var/state' }, '/var/state/clawai'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/u/.local/state/clawai'],
    ['linux', { XDG_STATE_HOME: '' }, '/home/u/.local/state/clawai'],
    ['darwin', {}, '/home/u/.local/state/clawai'],
  ] as const)('on %s with %o', (platform, env, expected) => {
    expect(stateDirectory({ platform, env, home: '/home/u' })).toBe(expected);
  });

  it('is in the local application data on Windows', () => {
    expect(stateDirectory({ platform: 'win32', env: { LOCALAPPDATA: '/l' }, home: '/h' })).toBe(join('/l', 'clawai'));
    expect(stateDirectory({ platform: 'win32', env: {}, home: '/h' })).toBe(join('/h', 'AppData', 'Local', 'clawai'));
  });
});
