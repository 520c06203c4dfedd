import { describe, expect, it } from 'vitest';
import { resolvePath } from '../../src/clients/path-templates.ts';

describe('resolvePath', () => {
  const windows = { platform: 'win32', home: String.raw`C:\Users\u` } as const;

  it('Windows finds variables whatever their case', () => {
    expect(resolvePath(['<data>/x'], { ...windows, env: { AppData: String.raw`D:\r` } }, undefined)).toEqual({
      base: String.raw`D:\r`,
      segments: ['x'],
    });
    expect(resolvePath(['<shared>/x'], { ...windows, env: { PROGRAMDATA: 'relative' } }, undefined)?.base).toBe(
      String.raw`C:\ProgramData`,
    );
  });

  it('other Unix systems are like Linux', () => {
    const file = { linux: ['/etc/x'], darwin: ['/Library/x'] };
    expect(resolvePath(file, { platform: 'freebsd', home: '/h', env: {} }, undefined)).toEqual({
      base: '/',
      segments: ['etc', 'x'],
    });
    expect(resolvePath(file, { ...windows, env: {} }, undefined)).toBeUndefined();
  });

  it('a base that nobody knows leads nowhere', () => {
    expect(resolvePath(['<nowhere>/x'], { platform: 'linux', home: '/h', env: {} }, undefined)).toBeUndefined();
  });
});
