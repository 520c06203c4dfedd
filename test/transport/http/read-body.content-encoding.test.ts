import { expect, it } from 'vitest';
import { parseContentEncoding } from '../../../src/transport/http/read-body.ts';

const cases: [value: string | undefined, codings: readonly string[] | undefined][] = [
  [undefined, []],
  ['', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['X-GZIP', ['gzip']],
  [' br ', ['br']],
  ['deflate, gzip', ['gzip', 'deflate']],
  ['identity, zstd', ['zstd']],
  ['gzip, gzip, gzip', undefined],
  ['compress', undefined],
  ['gzip;q=1', undefined],
  ['constructor', undefined],
];
it.each(cases)('%j', (value, codings) => {
  expect(parseContentEncoding(value)).toEqual(codings);
});
