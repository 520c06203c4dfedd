import { expect, it } from 'vitest';
import { JsonScanner } from '../../src/protocol/json-scanner.ts';
import { withoutParts } from '../../src/protocol/message.ts';

it('a message without parts keeps its place and its problem', () => {
  const scanner = new JsonScanner();
  const bytes = Buffer.from('a\nprose\n');
  scanner.reset(bytes, 2, 7);
  expect(withoutParts('malformed', scanner, 'no JSON')).toEqual({
    kind: 'malformed',
    bytes,
    start: 2,
    end: 7,
    paramKeys: 0,
    resultKeys: 0,
    hasAnswer: false,
    problem: 'no JSON',
  });
});
