import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import { CountedSecrets } from '../../../src/core/outgoing/counted-secrets.ts';
import { findDisguised } from '../../../src/core/outgoing/find-disguised.ts';
import { policyFrom } from '../../support/policy.ts';
import { runs } from '../../support/runs.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const PASSWORD = 'correct-horse';

const counted = new CountedSecrets(createSecretFinder(policyFrom('').dlp));
const known = (text: string): string | undefined => (text.includes(PASSWORD) ? 'password' : undefined);
const find = (text: string): string[] =>
  findDisguised(text, { counted, known }).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string => Array.from(text, (sign) => `%${hex(sign)}`).join('');
const backwards = (text: string): string => Array.from(text).toReversed().join('');

const HIDDEN: Readonly<Record<string, string>> = {
  base64: base64(KEY),
  'base64 of a text around it': base64(`{"user":"ada","token":"${KEY}"}\n`),
  base64url: Buffer.from(`~~?>${KEY}`).toString('base64url'),
  'base64 behind other letters': `x${base64(KEY)}`,
  'base64 of base64': base64(base64(KEY)),
  hex: hex(KEY),
  'hex in capitals': hex(KEY).toUpperCase(),
  'percent signs': percent(KEY),
  'some percent signs': KEY.replace('_', '%5F'),
  'base64 in percent signs': percent(base64(KEY)),
  'hex of base64': hex(base64(KEY)),
  backwards: backwards(KEY),
};

describe('a key in a text', () => {
  it.each(Object.entries(HIDDEN))('%s', (_, hidden) => {
    expect(find(`The log says: ${hidden}, and "no" more.`)).toEqual([`github_token ${hidden}`]);
    expect(find(`${KEY}\n${hidden}`)).toEqual([`github_token ${hidden}`]);
  });

  it('anywhere among other runs, each by itself', () => {
    const other = fc.constantFrom(
      base64('The build is green, says the log.'),
      hex('nothing of the kind'),
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'findSecretsInArguments2',
      'caf%C3%A9%20noir%20bien%20chaud',
      'src/core/outgoing/find-disguised.ts',
      ' words and more words ',
    );
    fc.assert(
      fc.property(fc.array(other), fc.constantFrom(...Object.values(HIDDEN)), fc.array(other), (before, hidden, after) => {
        expect(find([...before, hidden, ...after].join('\n'))).toEqual([`github_token ${hidden}`]);
      }),
      { numRuns: runs(100) },
    );
  });

  it('and a value that is known', () => {
    expect(find(`it is ${base64(`user ${PASSWORD}`)}`)).toEqual([`password ${base64(`user ${PASSWORD}`)}`]);
    expect(find(`it is ${hex(PASSWORD)}`)).toEqual([`password ${hex(PASSWORD)}`]);
  });
});

describe('leaves alone', () => {
  it.each([
    ['what is no text', `sha256-${Buffer.from('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', 'hex').toString('base64')}`],
    ['what shows as it is', `a ${KEY} b`],
    ['what shows beside percent signs', `a%20b%20${KEY}`],
    ['what was replaced', base64('[redacted:github_token] and CLAWAI-GITHUB-TOKEN-4TWD9W9GTK9H7Y')],
    ['a text without a secret', base64('The build is green, says the log. '.repeat(9))],
    ['names of code', 'createSecretFinderOfPolicy1234 someOtherVeryLongIdentifier_v2'],
    ['too little', base64('ghp_16C7')],
  ])('%s', (_, text) => {
    expect(find(text)).toEqual([]);
  });
});
