import { expect, it } from 'vitest';
import { pathStyle } from '../../src/host/paths.ts';

it.each([
  ['win32', 'windows'],
  ['darwin', 'macos'],
  ['linux', 'posix'],
  ['freebsd', 'posix'],
] as const)('%s: %s', (platform, style) => {
  expect(pathStyle(platform)).toBe(style);
});
