import { describe, expect, it } from 'vitest';
import { findManaged } from '../../../src/cli/login/managed-servers.ts';

const auth = 'managed' as const;
const servers = [
  { name: 'docs', url: 'https://docs.example/mcp', auth },
  { name: 'docs', url: 'https://docs.example/mcp', auth },
  { name: 'two', url: 'https://one.example/mcp?key=hunter2', auth },
  { name: 'two', url: 'https://two.example/mcp', auth },
  { name: 'plain', url: 'https://plain.example/mcp', auth: undefined },
];

describe('the server that a person means', () => {
  it('is one, also if several clients have it', () => {
    expect(findManaged({ servers }, 'docs')).toEqual({ name: 'docs', url: 'https://docs.example/mcp' });
    expect(findManaged({ servers }, 'https://two.example/mcp')).toEqual({ name: 'two', url: 'https://two.example/mcp' });
  });

  it.each([
    ['two', /several servers named two: https:\/\/one\.example\/mcp\?key=(?!hunter2)/],
    ['plain', /clawai does not log in to plain/],
    ['none', /no remote server named none/],
    ['no\u001b[31mne', /no remote server named no(?!\u001b)/],
  ])('is none or several: %s', (word, says) => {
    expect(() => findManaged({ servers }, word)).toThrow(says);
  });
});
