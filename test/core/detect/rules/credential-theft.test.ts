import { describe, expect, it } from 'vitest';
import { CREDENTIAL_THEFT } from '../../../../src/core/detect/rules/credential-theft.ts';
import { hitsOf } from './hits-of.ts';
import { RULE_SAMPLES } from './rule-samples.ts';

const ALL = CREDENTIAL_THEFT;
const RULES = ALL.filter(({ isOfNames }) => !isOfNames);
const OF_NAMES = ALL.filter(({ isOfNames }) => isOfNames);

describe('rules', () => {
  it.each(RULES.map(({ id }) => id))('%s', (id) => {
    const { hit = '', miss = '' } = RULE_SAMPLES[id] ?? {};
    expect(hitsOf(RULES, hit)).toContain(id);
    expect(hitsOf(RULES, miss)).not.toContain(id);
  });
});

describe('names of parameters', () => {
  it.each(['content from ssh id rsa', 'contents of env file', 'read private key'])('%s wants a secret', (name) => {
    expect(hitsOf(OF_NAMES, name)).not.toEqual([]);
  });

  it.each(['api key', 'file content', 'access token'])('%s does not', (name) => {
    expect(hitsOf(OF_NAMES, name)).toEqual([]);
  });
});
