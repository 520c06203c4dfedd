import { describe, expect, it } from 'vitest';
import { CREDENTIAL_THEFT } from '../../../../src/core/detect/rules/credential-theft.ts';
import { hitsOf } from './hits-of.ts';
import { samplesOf } from './samples-of.ts';

const OF_NAMES = CREDENTIAL_THEFT.filter(({ isOfNames }) => isOfNames);
const SAMPLES = samplesOf(CREDENTIAL_THEFT);

describe('rules', () => {
  it.each(SAMPLES)('$id', ({ hits }) => expect(hits()).toEqual({ hit: true, miss: false }));
});

describe('names of parameters', () => {
  it.each(['content from ssh id rsa', 'contents of env file', 'read private key'])('%s wants a secret', (name) => {
    expect(hitsOf(OF_NAMES, name)).not.toEqual([]);
  });

  it.each(['api key', 'file content', 'access token'])('%s does not', (name) => {
    expect(hitsOf(OF_NAMES, name)).toEqual([]);
  });
});
