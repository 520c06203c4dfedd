import { describe, expect, it } from 'vitest';
import { findAssignments } from '../../../src/core/dlp/find-assignments.ts';

function found(text: string): [kind: string, secret: string][] {
  return findAssignments(text).map(({ start, end, kind }) => [kind, text.slice(start, end)]);
}

describe('findAssignments', () => {
  it.each(['=', ':', ' = ', ': ', ':=', ' => ', '==', '":"', '" : "', "'='", '\\":\\"'])('takes %j for a sign', (sign) => {
    expect(found(`password${sign}pa55`)).toEqual([['password', 'pa55']]);
  });

  it('finds all of them, also one right after the other', () => {
    expect(found('password=a token=b&secret=c;api_key=d --cookie e')).toEqual([
      ['password', 'a'],
      ['token', 'b'],
      ['secret', 'c'],
      ['api_key', 'd'],
      ['cookie', 'e'],
    ]);
  });

  it.each([
    ['"password="pa55"', [['password', 'pa55']]],
    ['has("password="), "pa55"', []],
    ['?sig=a', [['signature', 'a']]],
    ['&X-Goog-Signature=a', [['signature', 'a']]],
    ['sig=a', []],
    ['signature: a', []],
    ['https://token:8080/x', [['token', '8080/x']]],
    ['token://x', []],
    ['-password a', [['password', 'a']]],
    ['a-password a', []],
    ['--password\ta', [['password', 'a']]],
    ['secret access key: a', [['access_key', 'a']]],
    ['connection string = a', [['connection_string', 'a']]],
    ['the key: a', []],
    ['<user>u</user><password>a b</password>', [['password', 'a b']]],
    ['<ns:apiKey>a</ns:apiKey>', [['api_key', 'a']]],
    ['<token></token><author>a</author>', []],
    ['<token>a', [['token', 'a']]],
    ['password=', []],
    ['password', []],
  ])('%j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
