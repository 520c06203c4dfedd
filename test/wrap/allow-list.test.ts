import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PolicyFile } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { loadFormats } from '../../src/clients/text.ts';
import { type AllowList, forbiddenBy, readAllowLists, urlForbiddenBy } from '../../src/wrap/allow-list.ts';

let folder = '';
beforeAll(() => loadFormats(['toml']));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-lists-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What an administrator's file of a client says: its first one in that syntax. */
function read(
  id: string,
  text: string,
  fits: (file: PolicyFile) => boolean = ({ syntax }) => syntax !== 'plist',
): readonly AllowList[] {
  const client = CLIENTS.find((one) => one.id === id);
  const policyFile = client?.policyFiles?.find(fits);
  if (client === undefined || policyFile === undefined) throw new Error(`${id} should have such a file`);
  const file = join(folder, 'policy');
  writeFileSync(file, text);
  return readAllowLists([{ client, policyFile, file }]);
}

const BEFORE = { command: 'docs-server', args: ['x'] };
const AFTER = { command: '/node', args: ['/clawai.mjs', 'proxy', '--', 'docs-server', 'x'] };

function command(lists: readonly AllowList[], server = 'docs'): string | undefined {
  return forbiddenBy(lists, { server, clients: ['codex'], before: BEFORE, after: AFTER });
}

it.each([
  ['[mcp_servers.docs.identity]\ncommand = "docs-server"', 'docs', true],
  ['[mcp_servers.docs.identity]\ncommand = "/node"', 'docs', false],
  ['[mcp_servers.docs.identity]\ncommand = "/node"', 'other', true],
  ['[mcp_servers.docs.identity]\nurl = "https://docs.example"', 'docs', true],
  ['mcp_servers = {}', 'docs', true],
  ['[mcp_servers]\ndocs = "odd"', 'docs', true],
  ['allowed_approval_policies = ["untrusted"]', 'docs', false],
  ['mcp_servers = [', 'docs', true],
])('Codex, with %j: %s is forbidden: %s', (text, server, isForbidden) => {
  expect(command(read('codex', text), server) !== undefined).toBe(isForbidden);
});

it('Codex allows a URL with its name', () => {
  const lists = read('codex', '[mcp_servers.docs.identity]\nurl = "http://127.0.0.1:8787/mcp/docs/s"');
  const change = { clients: ['codex'], before: 'https://docs.example', after: 'http://127.0.0.1:8787/mcp/docs/s' };
  expect(urlForbiddenBy(lists, { server: 'docs', ...change })).toBeUndefined();
  expect(urlForbiddenBy(lists, { server: 'other', ...change })).toMatch(/allows certain URLs only/);
});

it('leaves out a file without rules on servers, and names one that it does not read', () => {
  expect(read('claude-code', '{"model": "x"}')).toEqual([]);
  expect(read('vscode', '{"ChatMCP": "registry"}', ({ keys }) => keys.includes('ChatMCP'))).toMatchObject([
    { isUnreadable: false },
  ]);
  const profile = read('claude-code', 'bplist00', ({ syntax }) => syntax === 'plist');
  expect(profile).toMatchObject([{ text: expect.stringContaining('does not read'), isUnreadable: false }]);
  expect(forbiddenBy(profile, { server: 'docs', clients: ['claude-code'], before: BEFORE, after: AFTER })).toBeUndefined();
});

it('names a file whose servers replace all others', () => {
  const [list] = read('claude-code', '{"mcpServers": {}}', ({ keys }) => keys.includes('mcpServers'));
  expect(list?.text).toMatch(/ignores the servers of all other files/);
});
