import { expect, it } from 'vitest';
import { showUrl } from '../../src/remote/remote-server.ts';
import { remoteIdentity } from '../../src/session/ids.ts';

it('another URL is another server', () => {
  const of = (url: string): string => remoteIdentity(url, url).fingerprint;
  expect(remoteIdentity('https://a.example/mcp', 'https://a.example/mcp')).toMatchObject({
    type: 'http',
    text: '{"url":"https://a.example/mcp"}',
  });
  expect(of('https://a.example/mcp')).toBe(of('https://a.example/mcp'));
  for (const url of ['https://b.example/mcp', 'http://a.example/mcp', 'https://a.example/mcp2', 'https://a.example/mcp?a=1']) {
    expect(of(url)).not.toBe(of('https://a.example/mcp'));
  }
});

it('a secret in the URL is told apart, and not kept', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const of = (token: string): ReturnType<typeof remoteIdentity> => {
    const url = `https://a.example/mcp?token=${token}`;
    return remoteIdentity(url, showUrl(url));
  };
  for (const token of [secret, 'plainWord']) {
    expect(of(token).text).toContain('token=');
    expect(of(token).text).not.toContain(token);
    expect(of(token).fingerprint).not.toBe(of(`${token}2`).fingerprint);
  }
});
