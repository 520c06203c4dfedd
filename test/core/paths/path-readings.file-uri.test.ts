import { describe, expect, it } from 'vitest';

import { readFileUri, readForeignFileUri } from '../../../src/core/paths/path-readings.ts';
import { POSIX, WINDOWS } from '../../support/policy.ts';

describe('readFileUri', () => {
  it.each([
    ['/etc/passwd', undefined],
    ['https://x/y', undefined],
    ['files:/x', undefined],
    ['file:///etc/passwd', ['/etc/passwd']],
    ['FILE:///etc/passwd', ['/etc/passwd']],
    ['file:/etc/passwd', ['/etc/passwd']],
    ['file:etc/passwd', ['etc/passwd', '/etc/passwd']],
    ['file://localhost/etc/passwd', ['/etc/passwd']],
    ['file://LOCALHOST/etc', ['/etc']],
    ['file://', ['/']],
    ['file:///a%20b', ['/a b']],
    ['file:///etc/passwd?x#y', ['/etc/passwd', '/etc/passwd?x#y']],
    ['file:///a%3Fb', ['/a?b']],
    ['file://other/etc/passwd', []],
  ])('%j names %j', (uri, paths) => {
    expect(readFileUri(uri, POSIX)).toEqual(paths);
  });

  it.each([
    ['file:///C:/Users/x', ['C:/Users/x']],
    ['file:///c%3A/Users', ['c:/Users']],
    ['file://C:/Users', ['C:/Users']],
    ['file://host/share/x', ['//host/share/x']],
    ['file:\\\\\\C:\\Users', ['C:/Users']],
  ])('%j names %j on Windows', (uri, paths) => {
    expect(readFileUri(uri, WINDOWS)).toEqual(paths);
  });
});

it('readForeignFileUri reads past the host', () => {
  expect(readForeignFileUri('file://h/etc/%70asswd')).toEqual(['/etc/passwd', 'h/etc/passwd']);
});
