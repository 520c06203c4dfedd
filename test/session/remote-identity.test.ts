import { expect, it } from 'vitest';
import { remoteIdentity } from '../../src/session/remote-identity.ts';

it('another URL is another server', () => {
  const of = (url: string): string => remoteIdentity(url).fingerprint;
  expect(remoteIdentity('https://a.example/mcp')).toMatchObject({ type: 'http', text: '{"url":"https://a.example/mcp"}' });
  expect(of('https://a.example/mcp')).toBe(of('https://a.example/mcp'));
  for (const url of ['https://b.example/mcp', 'http://a.example/mcp', 'https://a.example/mcp2', 'https://a.example/mcp?a=1']) {
    expect(of(url)).not.toBe(of('https://a.example/mcp'));
  }
});

it('a secret in the URL is told apart, and not kept', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const one = remoteIdentity(`https://a.example/mcp?token=${secret}`);
  expect(one.text).not.toContain(secret);
  expect(one.fingerprint).not.toBe(remoteIdentity(`https://a.example/mcp?token=${secret.replace('a1', 'c3')}`).fingerprint);
});
