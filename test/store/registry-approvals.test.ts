import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegistryReader } from '../../src/store/reading/read-open.ts';
import { approveShown, type Shown, type ShownDefinition } from '../../src/store/registry-approvals.ts';
import { ROOT } from '../support/run-cli.ts';
import { defined, launched, register, sighted } from '../support/registered.ts';
import { Running } from '../support/running.ts';
import { query } from '../support/stored.ts';

const HERE = { env: {}, cwd: ROOT };

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-approvals-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const print = (description: string, name = 'read'): string => defined(name, description).fingerprint;

function shown(pinned: string | undefined, seen: string, name = 'read'): ShownDefinition {
  return { kind: 'tool', name, pinned: pinned === undefined ? undefined : print(pinned, name), seen: print(seen, name) };
}

function approve(definitions: readonly ShownDefinition[], more: Partial<Shown> = {}): ReturnType<typeof approveShown> {
  const approver = { by: 'me', now: 50 };
  return approveShown({ file, sync: 'normal' }, [{ scope: 'files', identity: undefined, definitions, ...more }], approver);
}

/** Trusted as `a`, seen as `b`. */
function change(): void {
  register(file, (registry) => registry.write('files', [sighted('read', 'a', { isPinned: true })], 1));
  register(file, (registry) => registry.write('files', [sighted('read', 'b'), sighted('write', 'new')], 2));
  register(file, (registry) => registry.writePage('files', 'tool', '', 'digest', 2));
}

const pinOf = (name = 'read'): string | undefined => register(file, (registry) => registry.pin('files', 'tool', name))?.pinned;

describe('approveShown', () => {
  it('trusts what was shown, with who and when, and has the lists compared anew', () => {
    change();
    expect(approve([shown('a', 'b'), shown(undefined, 'new', 'write')])).toEqual({
      kind: 'approved',
      approved: 2,
      alreadyTrusted: 0,
    });
    expect([pinOf(), pinOf('write')]).toEqual([print('b'), print('new', 'write')]);
    expect(query(file, 'SELECT * FROM registry_listings')).toEqual([]);
    const reader = openRegistryReader(file);
    expect(reader?.definition('files', 'tool', 'read')).toMatchObject({
      approvedAt: 50,
      approvedBy: 'me',
      firstSeen: 1,
      changedAt: 2,
      pinnedText: defined('read', 'b').text,
    });
    reader?.close();
  });

  it('changes nothing at all where one thing is not as it was shown', () => {
    change();
    const outdated = shown(undefined, 'other', 'write');
    expect(approve([shown('a', 'b'), outdated])).toEqual({ kind: 'outdated', scope: 'files', what: outdated });
    expect([pinOf(), pinOf('write')]).toEqual([print('a'), undefined]);
    expect(query(file, 'SELECT cursor FROM registry_listings')).toEqual([{ cursor: '' }]);
  });

  it.each([
    ['it has changed meanwhile', shown('a', 'c')],
    ['the difference was one to something else', shown('x', 'b')],
    ['it was shown as new', shown(undefined, 'b')],
    ['it is not there', shown('a', 'b', 'never')],
    ['it is another kind', { ...shown('a', 'b'), kind: 'prompt' as const }],
  ])('changes nothing where %s', (_why, definition) => {
    change();
    expect(approve([definition])).toEqual({ kind: 'outdated', scope: 'files', what: definition });
    expect(pinOf()).toBe(print('a'));
  });

  it('trusts how a server is started, and only as it was shown', () => {
    register(file, (registry) => registry.writeServer('files', launched('npx', 'a'), { isPinned: true, now: 1 }));
    register(file, (registry) => registry.writeServer('files', launched('npx', 'b'), { isPinned: false, now: 2 }));
    const identity = { pinned: launched('npx', 'a').fingerprint, seen: launched('npx', 'b').fingerprint };
    const outdated = { ...identity, seen: launched('npx', 'c').fingerprint };
    expect(approve([], { identity: outdated })).toEqual({ kind: 'outdated', scope: 'files', what: 'identity' });
    expect(approve([], { identity })).toEqual({ kind: 'approved', approved: 1, alreadyTrusted: 0 });
    expect(register(file, (registry) => registry.server('files'))).toEqual({ pinned: identity.seen, seen: identity.seen });
    expect(register(file, (registry) => registry.serverText('files', 'pinned'))).toBe(launched('npx', 'b').text);
    expect(query(file, 'SELECT approved_by, approved_at FROM registry_servers')).toEqual([
      { approved_by: 'me', approved_at: 50 },
    ]);
  });

  it('says that a store is busy, and what is wrong with one that can not be used', async () => {
    change();
    const holder = new Running([process.execPath, join(ROOT, 'test/support/store-holder.mjs'), file], HERE);
    await holder.until(() => holder.stdout.toString().includes('held'));
    expect(approve([shown('a', 'b')])).toBeUndefined();
    await holder.close();
    expect(approve([shown('a', 'b')])?.kind).toBe('approved');
    const foreign = join(folder, 'foreign.db');
    query(foreign, 'CREATE TABLE a (b)');
    const nothing = [{ scope: 's', identity: undefined, definitions: [] }];
    expect(() => approveShown({ file: foreign, sync: 'normal' }, nothing, { by: '', now: 0 })).toThrow('not a clawai store');
  });

  it('of two processes that say yes to the same at once both are right, and one of them has done it', async () => {
    change();
    const script = `
      import { approveShown } from ${JSON.stringify(join(ROOT, 'src/store/registry-approvals.ts'))};
      const [file, by, start] = process.argv.slice(1);
      const shown = [{ scope: 'files', identity: undefined, definitions: ${JSON.stringify([shown('a', 'b')])} }];
      while (Date.now() < Number(start));
      let outcome;
      while ((outcome = approveShown({ file, sync: 'normal' }, shown, { by, now: 7 })) === undefined);
      process.stdout.write(JSON.stringify(outcome));`;
    const start = String(Date.now() + 1500);
    const both = ['x', 'y'].map(
      (by) => new Running([process.execPath, '--input-type=module', '-e', script, file, by, start], HERE),
    );
    const outcomes = await Promise.all(both.map(async (one) => (await one.ended).stdout));
    const [first, second] = outcomes.map((text) => JSON.parse(text) as { approved: number; alreadyTrusted: number });
    expect([first?.approved, second?.approved].toSorted()).toEqual([0, 1]);
    expect([first?.alreadyTrusted, second?.alreadyTrusted].toSorted()).toEqual([0, 1]);
    expect(query(file, "SELECT approved_by FROM registry WHERE name = 'read'")).toEqual([
      { approved_by: first?.approved === 1 ? 'x' : 'y' },
    ]);
    expect(pinOf()).toBe(print('b'));
  });
});

describe('openRegistryReader', () => {
  it('finds nothing where there is no store, and makes none', () => {
    expect(openRegistryReader(file)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });

  it('tells definitions of a server or a kind, in order', () => {
    register(file, (registry) => {
      registry.write('b', [sighted('z', '1'), sighted('a', '1')], 1);
      registry.write('a', [sighted('q', '1', { kind: 'prompt' }), sighted('q', '1', { isListed: false })], 1);
      registry.writeServer('b', launched('x'), { isPinned: true, now: 1 });
    });
    const reader = openRegistryReader(file);
    const names = (filter: Parameters<NonNullable<typeof reader>['definitions']>[0]): string[] =>
      reader?.definitions(filter).map(({ server, kind, name }) => `${server} ${kind} ${name}`) ?? [];
    expect(names({})).toEqual(['a prompt q', 'a tool q', 'b tool a', 'b tool z']);
    expect(names({ server: 'b' })).toEqual(['b tool a', 'b tool z']);
    expect(names({ kind: 'prompt' })).toEqual(['a prompt q']);
    expect(names({ server: 'b', kind: 'prompt' })).toEqual([]);
    expect(reader?.servers()).toMatchObject([{ server: 'b', seenText: launched('x').text, pinnedText: launched('x').text }]);
    expect(reader?.definition('b', 'tool', 'z')).toMatchObject({ pinned: undefined, pinnedText: undefined });
    expect(reader?.definition('b', 'tool', 'y')).toBeUndefined();
    reader?.close();
  });
});

it('says yes to what was trusted on first use, once', () => {
  register(file, (registry) => registry.write('files', [sighted('read', 'a', { isPinned: true })], 1));
  expect(approve([shown('a', 'a')])).toEqual({ kind: 'approved', approved: 1, alreadyTrusted: 0 });
  expect(query(file, 'SELECT approved_at, approved_by FROM registry')).toEqual([{ approved_at: 50, approved_by: 'me' }]);
  expect(approve([shown('a', 'a')])).toEqual({ kind: 'approved', approved: 0, alreadyTrusted: 1 });
});
