import { describe, expect, it } from 'vitest';
import { readLlmUrl } from '../../src/config/read-llm-providers.ts';

describe('readLlmUrl', () => {
  it.each([
    'https://api.anthropic.com',
    'https://gateway.example/a%2Fb/?key=k',
    'http://127.0.0.1:9/',
    'http://127.8.9.10',
    'http://127.1:80',
    'http://[::1]:9/base',
    'http://LOCALHOST',
  ])('%s is kept as it is written', (text) => {
    expect(readLlmUrl(text)).toEqual({ ok: true, url: text });
  });

  it.each([
    ['http://10.0.0.1/', /must start with https:\/\/ unless/],
    ['http://localhost.example/', /must start with https:\/\/ unless/],
    ['http://127.0.0.1.example:80', /must start with https:\/\/ unless/],
    ['ws://127.0.0.1', /must start with https/],
    ['https://me:hunter2@a.example', /not contain a user name/],
    ['https://a.example/#hunter2', /must not have a fragment/],
    ['a.example', /must be a URL like "https:\/\/llm/],
  ])('%j is refused and not repeated', (text, problem) => {
    const read = readLlmUrl(text);
    expect(read).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });
});
