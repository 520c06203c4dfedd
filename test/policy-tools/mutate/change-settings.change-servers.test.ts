import { expect, it } from 'vitest';
import { changeServers } from '../../../src/policy-tools/mutate/change-settings.ts';
import { changesIn } from '../../support/mutants.ts';

it.each<[string, readonly string[]]>([
  ['', []],
  ['policy = "none"', []],
  [
    'policy = "allowlist"\nallow = ["files"]\ndeny = ["evil*"]',
    [
      'server_policy.policy: policy = "none" in [server_policy]',
      'server_policy.allow.0: allow in [server_policy] without "files"',
      'server_policy.deny.0: deny in [server_policy] without "evil*"',
      'server_policy.deny.0: deny in [server_policy] with "evil**" for "evil*"',
      'server_policy.deny.0: deny in [server_policy] with "evil" for "evil*"',
    ],
  ],
  [
    'policy = "denylist"\ndeny = ["evil"]',
    ['server_policy.policy: policy = "none" in [server_policy]', 'server_policy.deny.0: deny in [server_policy] without "evil"'],
  ],
])('%j', (text, expected) => {
  expect(changesIn(changeServers, text === '' ? '' : `[server_policy]\n${text}`)).toEqual(expected);
});
