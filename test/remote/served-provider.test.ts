import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LlmProvider } from '../../src/config/config.ts';
import { loadRemoteServers, readRemoteState } from '../../src/remote/remote-state.ts';
import { loadProviders, providersIn, providerUrl } from '../../src/remote/served-provider.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'clawai-providers-'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const SECRET = 'abcdefghijklmnopqrst-_';

function config(...providers: readonly LlmProvider[]) {
  return { stateDir, llm: { mode: 'embedded' as const, providers } };
}

function provider(name: string, secret?: string): LlmProvider {
  return { name, dialect: 'anthropic', baseUrl: `https://${name}.example/base`, secret };
}

describe('declared LLM providers', () => {
  it('get a secret of 128 bits that stays theirs, unless the config has one', () => {
    const first = loadProviders(config(provider('a'), provider('b', SECRET)));
    expect(first).toEqual([
      {
        name: 'a',
        dialect: 'anthropic',
        baseUrl: 'https://a.example/base',
        secret: expect.stringMatching(/^[\w-]{22}$/),
        group: 'llm:a',
      },
      { name: 'b', dialect: 'anthropic', baseUrl: 'https://b.example/base', secret: SECRET, group: 'llm:b' },
    ]);
    expect(loadProviders(config(provider('c'), provider('a')))[1]).toEqual(first[0]);
    expect(readRemoteState(stateDir).declared.map(({ name }) => name)).toEqual(['llm/a', 'llm/c']);
  });

  it('have another secret than a server of their name', () => {
    const server = { id: 'a', url: 'https://a.example/', secret: undefined, headers: {}, tlsFingerprint: undefined };
    const [one] = loadProviders(config(provider('a')));
    const [other] = loadRemoteServers({ stateDir, servers: [server] });
    expect(other?.secret).toMatch(/^[\w-]{22}$/);
    expect(other?.secret).not.toBe(one?.secret);
  });

  it('without a secret are left out where none may be made', () => {
    const both = config(provider('a'), provider('b', SECRET));
    expect(providersIn(both, readRemoteState(stateDir)).map(({ name }) => name)).toEqual(['b']);
    loadProviders(both);
    expect(providersIn(both, readRemoteState(stateDir)).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('have a URL each', () => {
    expect(providerUrl('http://127.0.0.1:8787', { name: 'a.b', secret: SECRET })).toBe(`http://127.0.0.1:8787/llm/a.b/${SECRET}`);
  });
});
