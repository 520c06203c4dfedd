import { describe, expect, it } from 'vitest';
import { DEFAULT_APPROVAL } from '../../../src/core/policy/parse-settings.ts';
import { parsePolicy } from '../../../src/core/policy/parse.ts';
import { policyFrom } from '../../support/policy.ts';

describe('[approval]', () => {
  it.each([
    ['', DEFAULT_APPROVAL],
    ['[approval]', { channels: ['terminal', 'desktop'], timeout: 45_000 }],
    ['[approval]\nchannels = ["terminal"]\ntimeout = "2m"', { channels: ['terminal'], timeout: 120_000 }],
    ['[approval]\nchannels = ["terminal", "elicitation"]', { channels: ['terminal', 'elicitation'], timeout: 45_000 }],
    ['[approval]\nchannels = []', { channels: [], timeout: 45_000 }],
    ['[approval]\ntimeout = "1s"', { channels: ['terminal', 'desktop'], timeout: 1000 }],
  ])('%j', (text, expected) => {
    expect(policyFrom(text).approval).toEqual(expected);
  });

  it('a rule can want a person, if it asks', () => {
    const rule = (lines: string): string => `[[rule]]\ntool = "t"\n${lines}`;
    expect(policyFrom(rule('action = "prompt"\nrequire_person = true')).rules[0]?.requirePerson).toBe(true);
    expect(policyFrom(rule('action = "prompt"\nrequire_person = false')).rules[0]).not.toHaveProperty('requirePerson');
    for (const lines of ['action = "allow"\nrequire_person = true', 'action = "prompt"\nrequire_person = "yes"']) {
      expect(parsePolicy(rule(lines), { file: 'p.toml' }).ok).toBe(false);
    }
  });

  it.each([
    ['approval = 1', /^approval must be a table/],
    ['[approval]\nchanels = []', /^unknown key "chanels" in \[approval\]/],
    ['[approval]\nchannels = "terminal"', /^approval.channels must be a list of channels/],
    ['[approval]\nchannels = [1]', /^approval.channels must be the name of a channel/],
    ['[approval]\nchannels = ["terminal", "email"]', /^unknown channel "email"/],
    ['[approval]\nchannels = ["elicitation"]', /never the only one/],
    ['[approval]\nchannels = ["dashboard"]', /can't ask by "dashboard"/],
    ['[approval]\nchannels = ["terminal", "terminal"]', /listed twice/],
    ['[approval]\nchannels = ["desktop"]', /only notifies you/],
    ['[approval]\ntimeout = 45', /must be a duration like "45s"/],
    ['[approval]\ntimeout = "45"', /is no duration/],
    ['[approval]\ntimeout = "0s"', /at least 1s and at most 1h/],
    ['[approval]\ntimeout = "2h"', /at least 1s and at most 1h/],
  ])('%j is refused', (text, message) => {
    const result = parsePolicy(text, { file: 'p.toml' });
    expect(!result.ok && 'errors' in result ? result.errors.map((error) => error.message) : []).toEqual([
      expect.stringMatching(message),
    ]);
  });
});
