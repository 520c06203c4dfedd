import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EntryLaunches, identityOf, projectFolder, type WrappedEntry } from '../../../../src/cli/mcp/registry/entry-launch.ts';
import { DEFAULT_PINNING, type Pinning } from '../../../../src/core/policy/parse-settings.ts';
import type { LaunchUse, PinScope } from '../../../../src/gate/ports/registry-port.ts';
import { launchIdentity } from '../../../../src/session/ids.ts';
import { openRegistryReader } from '../../../../src/store/reading/read-open.ts';
import { defined, register } from '../../../support/registered.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-entries-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const A = ['npx', 'files', '/a'] as const;
const B = ['npx', 'files', '/b'] as const;

const entry = (more: Partial<WrappedEntry> = {}): WrappedEntry => ({
  server: 'files',
  clients: ['cursor'],
  command: A,
  project: undefined,
  ...more,
});

/** A client starts it; the first is trusted. */
function use(
  command: readonly [string, ...string[]],
  { client = 'cursor-vscode', folder: where = '/p', time = 1 } = {},
): PinScope {
  return register(file, (registry) => {
    const identity = launchIdentity(command);
    const { scope, isTrusted, isFirst } = registry.launch('files', identity.fingerprint);
    registry.writeServer(scope, identity, { isPinned: isTrusted || isFirst, now: time });
    registry.noteUse(scope, { client, folder: where } satisfies LaunchUse, time);
    return scope;
  });
}

function of(asked: WrappedEntry, pinning: Partial<Pinning> = {}) {
  const reader = openRegistryReader(file);
  if (reader === undefined) throw new Error('there is no store');
  try {
    return new EntryLaunches(reader, { ...DEFAULT_PINNING, ...pinning }).of(asked);
  } finally {
    reader.close();
  }
}

it('is seen where one of its own clients has used it, started as the entry says', () => {
  use(A, { time: 5 });
  expect(of(entry()).lastSeen).toBe(5);
  expect(of(entry({ clients: ['claude-code'] })).lastSeen).toBeUndefined();
  expect(of(entry({ command: B })).lastSeen).toBeUndefined();
  expect(of(entry({ server: 'other' }))).toEqual({ lastSeen: undefined, seenBy: undefined, refusal: undefined });
});

it('says which other program has used it, and not where that is another known client', () => {
  use(A, { client: 'somebody', time: 7 });
  expect(of(entry()).seenBy).toEqual({ client: 'somebody', time: 7 });
  use(A, { client: 'clawai', time: 8 });
  // Our own listing says nothing about a client.
  expect(of(entry()).seenBy).toEqual({ client: 'somebody', time: 7 });
  use(B, { client: 'claude-code', time: 8 });
  expect(of(entry({ command: B })).seenBy).toBeUndefined();
});

it('of a project is seen only where it was used there', () => {
  use(A, { folder: '/p/sub' });
  expect(of(entry({ project: '/p' })).lastSeen).toBe(1);
  expect(of(entry({ project: '/p/su' })).lastSeen).toBeUndefined();
});

it('is refused where another launch of its name is trusted, also before it was ever started', () => {
  use(A);
  expect(of(entry({ command: B })).refusal).toEqual({
    why: 'it is started in another way than what is trusted under its name (args[1])',
    command: expect.stringMatching(
      /^let its client start it once, then run `clawai approve --server files --launch [0-9a-f]{8}`$/,
    ),
  });
  use(B);
  expect(of(entry({ command: B })).refusal?.command).toMatch(/^clawai approve --server files --launch [0-9a-f]{8}$/);
  expect([of(entry()).refusal, of(entry({ command: B }), { onChange: 'alert' }).refusal]).toEqual([undefined, undefined]);
});

it('whose arguments the client fills in is judged by the launch that was used last', () => {
  use(A);
  use(B, { time: 2 });
  expect(of(entry({ command: ['npx', 'files', '${workspaceFolder}'] })).refusal?.command).toContain('--launch');
  use(A, { time: 3 });
  expect(of(entry({ command: ['npx', 'files', '${workspaceFolder}'] })).refusal).toBeUndefined();
});

it('is refused where it gives other instructions, or nobody has trusted it and the first use does not', () => {
  const scope = use(A);
  register(file, (registry) => {
    const said = (text: string) =>
      ({ kind: 'instructions', name: '', seen: defined('', text, 'instructions'), isListed: true }) as const;
    registry.write(scope, [{ ...said('Be kind.'), isPinned: true }], 1);
    registry.write(scope, [said('Send all.')], 2);
  });
  expect(of(entry()).refusal?.why).toBe('it gives other instructions than when it was trusted');
  register(file, (registry) => registry.writeServer('new', launchIdentity(B), { isPinned: false, now: 1 }));
  const unseen = entry({ server: 'new', command: B });
  expect(of(unseen, { trustFirstUse: false }).refusal?.why).toBe('nobody has trusted it yet');
  expect(of(unseen).refusal).toBeUndefined();
});

it('a project’s own folder is what its client fills in', () => {
  const filled = identityOf(['npx', 'files', '${workspaceFolder}/x'], '/p');
  expect(filled).toEqual(launchIdentity(['npx', 'files', '/p/x']));
  expect([identityOf(['${workspaceFolder}'], undefined), identityOf(['a', '${env:X}'], '/p')]).toEqual([undefined, undefined]);
});

it('the folder of a project is that of its file, or that which the pointer names', () => {
  expect(projectFolder({ scope: 'project', file: '/p/.mcp.json', pointer: '' })).toBe('/p');
  expect(projectFolder({ scope: 'project', file: '/p/.cursor/mcp.json', pointer: '' })).toBe('/p');
  expect(projectFolder({ scope: 'local', file: '/h/.claude.json', pointer: '/projects/~1a~1b/mcpServers/x' })).toBe('/a/b');
  expect(projectFolder({ scope: 'user', file: '/h/.claude.json', pointer: '/mcpServers/x' })).toBeUndefined();
});
