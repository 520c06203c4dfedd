import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/call.ts';
import { sessionFacts } from '../../support/session-facts.ts';
import { explained, type World } from '../../support/explained.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const PLAIN = { a: KEY };
const DISGUISED = { a: Buffer.from(KEY).toString('base64') };

function decided(dlp: string, call: Partial<Call>, world: World = {}): string {
  const about = call.resource === undefined ? { tool: 't' } : {};
  const { decision: found } = explained(
    `[defaults]\naction = "allow"\n[dlp]\n${dlp}`,
    { ...about, server: 'files', ...call },
    world,
  );
  const kinds = found.dlp?.map(({ kind }) => kind).join(' ') ?? 'nothing';
  return `${found.action} ${found.reason} ${kinds}${found.isRedacted === true ? ' redacted' : ''}`;
}

describe('[dlp] on_arguments', () => {
  it.each([
    ['', 'allow default', 'allow default'],
    ['on_arguments = "redact"', 'allow default', 'deny dlp'],
    ['on_arguments = "prompt"', 'prompt dlp', 'prompt dlp'],
    ['on_arguments = "deny"', 'deny dlp', 'deny dlp'],
    ['on_arguments = "deny"\n[dlp.server]\nfiles = "alert"', 'allow default', 'allow default'],
    ['on_arguments = "alert"\n[dlp.server]\nfiles = "deny"', 'deny dlp', 'deny dlp'],
    ['on_arguments = "deny"\n[dlp.server]\nother = "alert"', 'deny dlp', 'deny dlp'],
    ['on_arguments = "deny"\non_request = "tokenize"\nrestore_to = ["fi*"]', 'allow default', 'allow default'],
    ['on_arguments = "deny"\nrestore_to = ["fi*"]', 'deny dlp', 'deny dlp'],
  ])('%j', (dlp, plain, disguised) => {
    const isRedacted = dlp.includes('redact"') ? ' redacted' : '';
    expect(decided(dlp, { args: PLAIN })).toBe(`${plain} github_token${isRedacted}`);
    expect(decided(dlp, { args: DISGUISED })).toBe(`${disguised} github_token`);
    expect(decided(dlp, { args: { a: 'hello' } })).toBe('allow default nothing');
  });

  it('denies what it can not edit', () => {
    expect(decided('on_arguments = "redact"', { args: PLAIN, isUneditable: true })).toBe('deny dlp github_token');
  });

  it('is off where [dlp] is, and for tools that only show something', () => {
    expect(decided('enabled = false\non_arguments = "deny"', { args: PLAIN })).toBe('allow default nothing');
    expect(decided('on_arguments = "deny"', { args: PLAIN, isInert: true })).toBe('allow default nothing');
  });

  it('does not look at what a server asks of the client', () => {
    expect(decided('on_arguments = "deny"', { method: 'sampling/createMessage', args: PLAIN })).toBe('allow default nothing');
  });

  it('looks at the resource that is read', () => {
    const call = { method: 'resources/read', resource: `x://a/${KEY}` };
    expect(decided('on_arguments = "deny"', { ...call })).toBe('deny dlp github_token');
  });

  it('knows the secrets of other servers of the session', () => {
    const secrets = () => [{ source: 'secret:environment', encoding: 'base64', description: 'an identifier of 30 characters' }];
    const session = { ...sessionFacts(), secrets };
    expect(decided('on_arguments = "deny"', { args: { a: 'x' } }, { session })).toBe('deny dlp known_secret');
    expect(decided('on_arguments = "redact"', { args: { a: 'x' } }, { session })).toBe('deny dlp known_secret');
    expect(decided('keys = false\non_arguments = "deny"', { args: { a: 'x' } }, { session })).toBe('allow default nothing');
  });
});
