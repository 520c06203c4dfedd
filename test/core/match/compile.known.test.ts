import { expect, it } from 'vitest';
import { addressesIn } from '../../../src/core/flow/steering/addresses.ts';
import { compilePolicy } from '../../../src/core/match/compile.ts';
import { policyFrom } from '../../support/policy.ts';

const knows = (patterns: readonly string[], text: string): readonly string[] => {
  const { knowsAddress } = compilePolicy(policyFrom(`[flow]\nknown = ${JSON.stringify(patterns)}\n`));
  return addressesIn(text).flatMap(({ text: address }) => (knowsAddress?.(address) === true ? [address] : []));
};

it.each<[string, string, readonly string[]]>([
  ['*@corp.example', 'Ann@Corp.example', ['ann@corp.example']],
  ['*@corp.example', 'ann@corp.example.evil.example', []],
  ['*@corp.example', 'https://evil.example/x@corp.example', []],
  ['corp.example', 'ann@corp.example', []],
  ['corp.example', 'https://www.corp.example/a/b?c=d', ['corp.example', 'corp.example/a/b', 'corp.example/a/b?c=d']],
  ['corp.example', 'https://corp.example.evil.example/', []],
  ['corp.example', 'https://corp.example@evil.example/', []],
  ['*.corp.example', 'see api.corp.example/x', ['api.corp.example', 'api.corp.example/x']],
  ['https://api.corp.example/v1/**', 'https://api.corp.example/v1/a', ['api.corp.example/v1/a']],
  ['https://api.corp.example/v1/**', 'https://api.corp.example/v2/a', []],
  ['mailto:Ann@corp.example', 'ann@corp.example', ['ann@corp.example']],
  ['DE89 3704 0044 0532 0130 00', 'to DE89370400440532013000', ['de89370400440532013000']],
  ['+49 170 1234567', 'call +49 (170) 123-4567', ['491701234567']],
])('%s knows of %s', (pattern, text, known) => {
  expect([...new Set(knows([pattern], text))]).toEqual(known);
});

it('an empty list knows nothing', () => {
  expect(compilePolicy(policyFrom('[flow]\nknown = []\n')).knowsAddress).toBeUndefined();
});
