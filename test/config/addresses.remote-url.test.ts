import { describe, expect, it } from 'vitest';
import { readRemoteUrl } from '../../src/config/addresses.ts';

describe('readRemoteUrl', () => {
  it.each([
    'https://mcp.example.com/mcp',
    'http://127.0.0.1:1/',
    'https://mcp.example.com/mcp?key=a%20b',
    'HTTPS://Mcp.Example.com',
    'https://[::1]:8443/a@b',
  ])('%s is kept as it is written', (text) => {
    expect(readRemoteUrl(text)).toEqual({ ok: true, url: text });
  });

  it.each([
    ['', /must be a URL/],
    ['mcp.example.com', /must be a URL/],
    ['/mcp', /must be a URL/],
    ['https://', /must be a URL/],
    ['https://a.example/\t', /must be a URL/],
    ['https://a.ex\nample/', /must be a URL/],
    [' https://a.example/', /must be a URL/],
    ['ws://a.example/', /must start with https/],
    ['file:///etc/passwd', /must start with https/],
    ['https://me@a.example/', /not contain a user name/],
    ['https://:hunter2@a.example/', /not contain a user name/],
    ['https://a.example/#x', /not have a fragment/],
    ['https://a.example/#', /not have a fragment/],
  ])('%j is refused and not repeated', (text, problem) => {
    const read = readRemoteUrl(text);
    expect(read).toEqual({ ...read, ok: false, problem: expect.stringMatching(problem) });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });
});
