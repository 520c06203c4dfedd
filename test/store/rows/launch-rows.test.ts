import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LaunchIdentity, PinScope, Registry } from '../../../src/gate/ports/registry-port.ts';
import { MOST_REFUSED } from '../../../src/store/rows/launch-rows.ts';
import { openRegistryReader } from '../../../src/store/reading/read-open.ts';
import { launched, register, sighted } from '../../support/registered.ts';
import { query } from '../../support/stored.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-launches-'));
  file = join(folder, 'clawai.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const within = <T>(work: (registry: Registry) => T): T => register(file, work);
const A = launched('npx', 'files', '/a');
const B = launched('npx', 'files', '/b');

/** Starts a server as a connection does. @returns the scope of its pins */
function start(identity: LaunchIdentity, { server = 'files', isAgreed = false, now = 1 } = {}): PinScope {
  return within((registry) => {
    const { scope, isTrusted, isFirst } = registry.launch(server, identity.fingerprint);
    registry.writeServer(scope, identity, { isPinned: isTrusted || isFirst || isAgreed, now });
    return scope;
  });
}

const own = ({ fingerprint }: LaunchIdentity, server = 'files'): PinScope => ({ server, launch: fingerprint });

describe('launches of one name', () => {
  it('are told apart: the first has the pins of the name, and another one its own, trusted or not', () => {
    expect([start(A), start(A), start(B), start(B)]).toEqual(['files', 'files', own(B), own(B)]);
    expect(within((registry) => [registry.server('files'), registry.server(own(B))])).toEqual([
      { pinned: A.fingerprint, seen: A.fingerprint },
      { pinned: undefined, seen: B.fingerprint },
    ]);
    expect(start(B, { isAgreed: true })).toEqual(own(B));
    expect(within((registry) => registry.launch('files', B.fingerprint))).toEqual({
      scope: own(B),
      isTrusted: true,
      isFirst: false,
    });
    expect(new Set(within((registry) => registry.trustedLaunches('files')).map(({ text }) => text))).toEqual(
      new Set([A.text, B.text]),
    );
  });

  it('are all the first as long as none is trusted', () => {
    within((registry) => registry.writeServer('files', A, { isPinned: false, now: 1 }));
    const [a, b] = within((registry) => [A, B].map(({ fingerprint }) => registry.launch('files', fingerprint)));
    expect([a, b]).toEqual([
      { scope: 'files', isTrusted: false, isFirst: true },
      { scope: own(B), isTrusted: false, isFirst: true },
    ]);
  });

  it('that were trusted together under an older clawai still share their pins', () => {
    start(A);
    query(file, `INSERT INTO registry_identities VALUES ('files', '${B.fingerprint}')`);
    expect(start(B)).toBe('files');
  });

  it.each(['["files","x"]', '"files"', 'a\0b', '\ud800', '["', ''])('keep %j apart from every other name', (server) => {
    start(A, { server });
    expect(start(B, { server })).toEqual(own(B, server));
    expect([...within((registry) => registry.tools()).keys()]).toEqual([server]);
    expect(
      openRegistryReader(file)
        ?.servers()
        .map((each) => each.server),
    ).toEqual([server, server]);
    expect(start(A)).toBe('files');
  });
});

describe('a refused launch', () => {
  it('begins with what is trusted of the launch that is most like it, and changes nothing there', () => {
    start(A);
    within((registry) => registry.write('files', [sighted('read', 'Reads.', { isPinned: true }), sighted('new', 'Unseen.')], 1));
    start(B);
    const pins = (scope: PinScope): unknown =>
      within((registry) =>
        [...registry.pins(scope, 'tool').values()].map(({ name, pinned, seen, isListed }) => [name, pinned === seen, isListed]),
      );
    expect(pins(own(B))).toEqual([['read', true, false]]);
    within((registry) => registry.write(own(B), [sighted('read', 'Reads and sends.')], 2));
    expect([pins(own(B)), pins('files')]).toEqual([
      [['read', false, true]],
      [
        ['new', false, true],
        ['read', true, true],
      ],
    ]);
    expect(within((registry) => registry.text(own(B), 'tool', 'read', 'pinned'))).toContain('"Reads."');
  });

  it('begins with nothing as long as no launch of its name is trusted, whatever a person trusts of one', () => {
    within((registry) => {
      registry.writeServer('files', A, { isPinned: false, now: 1 });
      registry.write('files', [sighted('read', 'Reads.', { isPinned: true })], 1);
      registry.writeServer(own(B), B, { isPinned: false, now: 1 });
    });
    expect(within((registry) => registry.pins(own(B), 'tool')).size).toBe(0);
  });

  it('that was trusted before it was seen begins with nothing', () => {
    start(A);
    within((registry) => registry.write('files', [sighted('read', 'Reads.', { isPinned: true })], 1));
    start(B, { isAgreed: true });
    expect(within((registry) => registry.pins(own(B), 'tool')).size).toBe(0);
  });

  it('is forgotten where many came after it; what is trusted never is', () => {
    start(A);
    start(B, { isAgreed: true });
    const others = Array.from({ length: MOST_REFUSED + 3 }, (_, i) => launched('npx', `random-${i}`));
    for (const [i, each] of others.entries()) start(each, { now: 10 + i });
    const left =
      openRegistryReader(file)
        ?.servers()
        .map(({ seen }) => seen) ?? [];
    expect(new Set(left)).toEqual(new Set([A, B, ...others.slice(3)].map(({ fingerprint }) => fingerprint)));
  });
});

describe('whoever asks by a server’s name', () => {
  it('finds tools of all its launches, once, and takes none for another server’s', () => {
    start(A);
    start(B, { isAgreed: true });
    within((registry) => registry.write('files', [sighted('read', 'Reads.', { isPinned: true })], 1));
    within((registry) => registry.write(own(B), [sighted('read', 'Reads.'), sighted('write', 'Writes.')], 1));
    const asked = within((registry) => ({
      tools: registry.tools().get('files'),
      listers: registry.listers('read'),
      alike: registry.lookAlikes(own(B), ['read']).size + registry.lookAlikes('files', ['read', 'write']).size,
      others: registry.lookAlikes('other', ['write']).get('write'),
      scopes: [registry.scopeOf('files', 'read'), registry.scopeOf('files', 'write'), registry.scopeOf('files', 'none')],
    }));
    expect(asked).toEqual({
      tools: ['read', 'write'],
      listers: ['files'],
      alike: 0,
      others: [{ server: 'files', name: 'write' }],
      scopes: ['files', own(B), 'files'],
    });
  });
});

describe('uses', () => {
  it('are kept by launch, client and folder, the latest first, and for a time', () => {
    start(A);
    const day = 24 * 60 * 60 * 1000;
    within((registry) => registry.noteUse('files', { client: 'cursor', folder: '/p' }, 1));
    within((registry) => registry.noteUse(own(B), { client: 'claude-code', folder: '/p' }, 50 * day));
    within((registry) => registry.noteUse('files', { client: 'cursor', folder: '/q' }, 100 * day));
    const uses = openRegistryReader(file)
      ?.uses()
      .map((use) => [use.server, use.launch, use.client, use.folder]);
    expect(uses).toEqual([
      ['files', undefined, 'cursor', '/q'],
      ['files', B.fingerprint, 'claude-code', '/p'],
    ]);
  });
});
