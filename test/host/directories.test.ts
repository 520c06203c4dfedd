import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configDirectory, stateDirectory } from '../../src/host/directories.ts';

describe.each([
  ['stateDirectory', stateDirectory, 'XDG_STATE_HOME', ['.local', 'state'], 'LOCALAPPDATA', ['AppData', 'Local']],
  ['configDirectory', configDirectory, 'XDG_CONFIG_HOME', ['.config'], 'APPDATA', ['AppData', 'Roaming']],
] as const)('%s', (_name, directory, xdg, xdgDefault, appData, appDataDefault) => {
  it.each([
    ['linux', {}, ['/home/u', ...xdgDefault]],
    ['darwin', {}, ['/home/u', ...xdgDefault]],
    ['linux', { [xdg]: '/elsewhere' }, ['/elsewhere']],
    ['linux', { [xdg]: 'relative' }, ['/home/u', ...xdgDefault]],
    ['linux', { [xdg]: '' }, ['/home/u', ...xdgDefault]],
    ['linux', { [appData]: '/elsewhere' }, ['/home/u', ...xdgDefault]],
    ['win32', {}, ['/home/u', ...appDataDefault]],
    ['win32', { [appData]: 'C:\\Data' }, ['C:\\Data']],
    ['win32', { [appData]: 'relative' }, ['/home/u', ...appDataDefault]],
    ['win32', { [appData]: '' }, ['/home/u', ...appDataDefault]],
    ['win32', { [xdg]: '/elsewhere' }, ['/home/u', ...appDataDefault]],
  ] as const)('on %s with %o', (platform, env, folders) => {
    expect(directory({ platform, env, home: '/home/u' })).toBe(join(...folders, 'clawai'));
  });
});
