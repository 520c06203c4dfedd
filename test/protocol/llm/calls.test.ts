import { expect, it } from 'vitest';
import { readArguments } from '../../../src/protocol/llm/calls.ts';

it.each<[string, ReturnType<typeof readArguments>['problem']]>([
  ['', undefined],
  ['{"a":[1,{"b":null}]}', undefined],
  [' {\n"a" : 1 }\r\n', undefined],
  ['[]', 'not_an_object'],
  ['null', 'not_an_object'],
  ['"{}"', 'not_an_object'],
  ['{"a":1,}', 'invalid_json'],
  ["{'a':1}", 'invalid_json'],
  ['{"a":1', 'invalid_json'],
  ['{"a":1}}', 'invalid_json'],
  ['{"a":NaN}', 'invalid_json'],
  ['{"a":[{"b":1,"b":1}]}', 'duplicate_key'],
  ['{"a":{"__proto__" :{"b":1}}}', 'duplicate_key'],
  [String.raw`{"_\u005fproto__":1}`, 'duplicate_key'],
  [String.raw`{"__proto":1,"a":"__proto__","b":"{\"__proto__\":1}"}`, undefined],
  [`{"a":${'['.repeat(128)}${']'.repeat(128)}}`, 'too_long'],
])('%s', (text, problem) => {
  expect(readArguments(text)).toEqual({ args: text === '' ? '{}' : text, problem });
});
