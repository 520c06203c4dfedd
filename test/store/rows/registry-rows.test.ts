import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Definition, DefinitionKind, PinWrite } from '../../../src/core/registry/definition.ts';
import type { Registry } from '../../../src/gate/ports/registry-port.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { MOST_KEPT, RegistryRows } from '../../../src/store/rows/registry-rows.ts';
import { SqliteStore } from '../../../src/store/sqlite-store.ts';
import { alter, query } from '../../support/stored.ts';

let folder = '';
let file = '';
let store: SqliteStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-registry-'));
  file = join(folder, 'clawai.db');
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function open(): SqliteStore {
  return new SqliteStore({ file, writerVersion: '0', sync: 'normal' });
}

/** One transaction. */
function within<T>(work: (registry: Registry) => T, through = store): T {
  if (!through.begin()) throw new Error('busy');
  const result = through.inRegistry(work);
  through.commit();
  return result;
}

function definition(name: string, body: string, kind: DefinitionKind = 'tool'): Definition {
  return { kind, name, text: JSON.stringify({ name, body }), fingerprint: `sha256:${body}` };
}

function sight(name: string, body: string, more: Partial<PinWrite> = {}): PinWrite {
  return { kind: 'tool', name, seen: definition(name, body), isListed: true, ...more };
}

describe('definitions', () => {
  it('are unknown until they are seen, and trusted when that is said', () => {
    expect(within((registry) => registry.pin('files', 'tool', 'read'))).toBeUndefined();
    within((registry) => registry.write('files', [sight('read', 'a'), sight('write', 'b', { isPinned: true })], 1));
    const read = { kind: 'tool', name: 'read', pinned: undefined, seen: 'sha256:a', isListed: true };
    const write = { kind: 'tool', name: 'write', pinned: 'sha256:b', seen: 'sha256:b', isListed: true };
    expect(within((registry) => registry.pin('files', 'tool', 'read'))).toEqual(read);
    expect(within((registry) => [...registry.pins('files', 'tool').values()])).toEqual([read, write]);
    expect(within((registry) => registry.pin('others', 'tool', 'read'))).toBeUndefined();
    expect(within((registry) => registry.pin('files', 'prompt', 'read'))).toBeUndefined();
  });

  it('keep what is trusted, whatever is seen and however often pinning is asked for', () => {
    within((registry) => registry.write('files', [sight('read', 'a', { isPinned: true })], 1));
    for (const body of ['b', 'c', 'a', 'd']) {
      within((registry) => registry.write('files', [sight('read', body, { isPinned: true })], 2));
      expect(within((registry) => registry.pin('files', 'tool', 'read'))).toMatchObject({
        pinned: 'sha256:a',
        seen: `sha256:${body}`,
      });
      expect(within((registry) => registry.text('files', 'tool', 'read', 'pinned'))).toBe(definition('read', 'a').text);
      expect(within((registry) => registry.text('files', 'tool', 'read', 'seen'))).toBe(definition('read', body).text);
    }
  });

  it('have no trusted text where nothing is trusted', () => {
    within((registry) => registry.write('files', [sight('read', 'a')], 1));
    within((registry) => registry.write('files', [sight('read', 'b')], 2));
    expect(within((registry) => registry.text('files', 'tool', 'read', 'pinned'))).toBeUndefined();
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'read', isPinned: true, isListed: true }], 3));
    expect(within((registry) => registry.text('files', 'tool', 'read', 'pinned'))).toBe(definition('read', 'b').text);
  });

  it('go and come back', () => {
    within((registry) => registry.write('files', [sight('read', 'a', { isPinned: true })], 1));
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'read', isListed: false }], 2));
    expect(within((registry) => registry.pin('files', 'tool', 'read'))).toMatchObject({ isListed: false, pinned: 'sha256:a' });
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'read', isListed: true }], 3));
    expect(within((registry) => registry.pin('files', 'tool', 'read'))?.isListed).toBe(true);
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'never', isListed: false }], 3));
    expect(within((registry) => registry.pin('files', 'tool', 'never'))).toBeUndefined();
  });

  it.each(['a\0b', 'a\0c', '\uD800', '\uD801', '\uFFFD', '"a"', '"', '"a\\u0000b"', '', '__proto__', '名前', 'a\u202Eb'])(
    'have the name that they came with, and no other: %j',
    (name) => {
      const others = ['a', 'a\0', '\uD802', '\uFFFD\uFFFD', 'proto'];
      within((registry) => registry.write('files', [sight(name, 'x'), ...others.map((other) => sight(other, 'y'))], 1));
      expect(within((registry) => registry.pin('files', 'tool', name))).toMatchObject({ name, seen: 'sha256:x' });
      expect(within((registry) => [...registry.pins('files', 'tool').keys()]).toSorted()).toEqual([name, ...others].toSorted());
    },
  );

  it('are taken back with the transaction, and shared with other connections', () => {
    const other = open();
    expect(store.begin()).toBe(true);
    store.inRegistry((registry) => registry.write('files', [sight('read', 'a')], 1));
    store.rollback();
    expect(within((registry) => registry.pin('files', 'tool', 'read'), other)).toBeUndefined();
    within((registry) => registry.write('files', [sight('read', 'a')], 1));
    expect(within((registry) => registry.pin('files', 'tool', 'read'), other)).toBeDefined();
    other.close();
    expect(() => store.inRegistry((registry) => registry.pin('files', 'tool', 'read'))).toThrow('no transaction has begun');
  });

  it('are begun anew with a new store', () => {
    within((registry) => registry.write('files', [sight('read', 'a', { isPinned: true })], 1));
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    expect(within((registry) => registry.pin('files', 'tool', 'read'))).toBeUndefined();
  });
});

describe('bounds', () => {
  it('a server that lists ever new names does not fill the disk, and what is trusted stays', () => {
    const names = Array.from({ length: MOST_KEPT.definitions - 1 }, (_, i) => sight(`t${i}`, 'x', { isPinned: true }));
    within((registry) => registry.write('files', names, 1));
    within((registry) => registry.write('files', [sight('last', 'a', { isPinned: true }), sight('beyond', 'b')], 2));
    within((registry) => registry.write('files', [sight('beyond', 'b', { isPinned: true }), sight('t5', 'changed')], 3));
    expect(within((registry) => registry.pin('files', 'tool', 'beyond'))).toBeUndefined();
    expect(within((registry) => registry.pin('files', 'tool', 'last'))?.pinned).toBe('sha256:a');
    expect(within((registry) => registry.pin('files', 'tool', 't5'))).toMatchObject({
      pinned: 'sha256:x',
      seen: 'sha256:changed',
    });
    within((registry) => registry.write('files', [{ ...sight('beyond', 'b'), kind: 'prompt' }], 3));
    within((registry) => registry.write('others', [sight('beyond', 'b')], 3));
    expect(within((registry) => registry.pin('files', 'prompt', 'beyond'))).toBeDefined();
    expect(within((registry) => registry.pin('others', 'tool', 'beyond'))).toBeDefined();
  });

  it('what is too large is not kept: nothing of what is new, and no text of what is known', () => {
    const huge = 'x'.repeat(MOST_KEPT.characters);
    within((registry) => registry.write('files', [sight('read', 'a', { isPinned: true }), sight('huge', huge)], 1));
    expect(within((registry) => registry.pin('files', 'tool', 'huge'))).toBeUndefined();
    within((registry) => registry.write('files', [sight('read', huge)], 2));
    expect(within((registry) => registry.pin('files', 'tool', 'read'))?.seen).toBe(`sha256:${huge}`);
    expect(within((registry) => registry.text('files', 'tool', 'read', 'seen'))).toBeUndefined();
    expect(within((registry) => registry.text('files', 'tool', 'read', 'pinned'))).toBe(definition('read', 'a').text);
    within((registry) => registry.write('files', [sight('read', 'b'), sight('new', 'c')], 3));
    expect(within((registry) => registry.text('files', 'tool', 'read', 'seen'))).toBe(definition('read', 'b').text);
    expect(within((registry) => registry.pin('files', 'tool', 'new'))).toBeDefined();
  });

  it('pages that are ever new are forgotten, and long cursors are not noted', () => {
    within((registry) => {
      for (let i = 0; i < MOST_KEPT.pages; i++) registry.writePage('files', 'tool', `c${i}`, 'd', 1);
      registry.writePage('files', 'tool', 'c0', 'e', 1);
    });
    expect(within((registry) => [registry.page('files', 'tool', 'c0'), registry.page('files', 'tool', 'c9')])).toEqual([
      'e',
      'd',
    ]);
    within((registry) => registry.writePage('files', 'tool', 'one more', 'd', 1));
    within((registry) => registry.writePage('files', 'tool', 'x'.repeat(MOST_KEPT.cursor + 1), 'd', 1));
    expect(query(file, 'SELECT cursor FROM registry_listings')).toEqual([{ cursor: 'one more' }]);
  });
});

describe('pages', () => {
  it('are noted by cursor, and forgotten by kind', () => {
    within((registry) => {
      registry.writePage('files', 'tool', '', 'a', 1);
      registry.writePage('files', 'tool', '2\0', 'b', 1);
      registry.writePage('files', 'prompt', '', 'c', 1);
    });
    expect(within((registry) => [registry.page('files', 'tool', ''), registry.page('files', 'tool', '2\0')])).toEqual(['a', 'b']);
    expect(within((registry) => registry.page('files', 'tool', '2'))).toBeUndefined();
    within((registry) => registry.writePage('files', 'tool', '', undefined, 2));
    expect(within((registry) => [registry.page('files', 'tool', '2\0'), registry.page('files', 'prompt', '')])).toEqual([
      undefined,
      'c',
    ]);
  });
});

describe('servers', () => {
  it('have the launch identity that was trusted, and the one that was seen last', () => {
    const first = { type: 'stdio' as const, text: '{"command":"a"}', fingerprint: 'sha256:a' };
    const second = { type: 'stdio' as const, text: '{"command":"b"}', fingerprint: 'sha256:b' };
    expect(within((registry) => registry.server('files'))).toBeUndefined();
    within((registry) => registry.writeServer('files', first, { isPinned: false, now: 1 }));
    expect(within((registry) => registry.server('files'))).toEqual({ pinned: undefined, seen: 'sha256:a' });
    expect(within((registry) => registry.serverText('files', 'pinned'))).toBeUndefined();
    within((registry) => registry.writeServer('files', first, { isPinned: true, now: 2 }));
    within((registry) => registry.writeServer('files', second, { isPinned: false, now: 3 }));
    expect(within((registry) => registry.server('files'))).toEqual({ pinned: 'sha256:a', seen: 'sha256:b' });
    expect(within((registry) => [registry.serverText('files', 'pinned'), registry.serverText('files', 'seen')])).toEqual([
      first.text,
      second.text,
    ]);
    within((registry) => registry.writeServer('files', second, { isPinned: true, now: 4 }));
    expect(within((registry) => registry.server('files'))).toEqual({ pinned: 'sha256:b', seen: 'sha256:b' });
    expect(within((registry) => registry.serverText('files', 'pinned'))).toBe(second.text);
  });
});

describe('look-alikes', () => {
  it('are tools of other servers that are listed, by the name that they look like', () => {
    within((registry) => {
      registry.write('bank', [sight('P\u0430y', 'a'), sight('gone', 'b', { isListed: false })], 1);
      registry.write('bank', [{ ...sight('prompted', 'c'), kind: 'prompt' }], 1);
      registry.write('files', [sight('pay', 'd')], 1);
      registry.write('bank', [sight('__', 'e')], 1);
    });
    const found = within((registry) => registry.lookAlikes('files', ['pay', 'gone', 'prompted', 'other', '--']));
    expect([...found]).toEqual([['pay', [{ server: 'bank', name: 'P\u0430y' }]]]);
  });
});

describe('listers', () => {
  const listers = (tool: string): readonly string[] => within((registry) => registry.listers(tool));

  it('hazard 41: are the servers that list a tool of exactly that name now, who had it first first, whatever the clock says', () => {
    within((registry) => registry.write('mail', [sight('search', 'a', { isPinned: true })], 2));
    within((registry) => registry.write('files', [sight('search', 'b'), sight('find', 'b')], 1));
    within((registry) => registry.write('web', [sight('Search', 'c'), sight('se\u0430rch', 'c'), sight('search_', 'c')], 0));
    within((registry) => registry.write('late', [sight('search', 'c')], 2));
    expect(listers('search')).toEqual(['mail', 'files', 'late']);
    expect(listers('Search')).toEqual(['web']);
    expect(listers('nobody')).toEqual([]);
    // Who was first stays so, whatever its definition becomes.
    within((registry) => registry.write('files', [sight('search', 'other')], 9));
    expect(listers('search')).toEqual(['mail', 'files', 'late']);
  });

  it('are not those that list it no more, or something else of that name', () => {
    const seen = definition('search', 'a', 'prompt');
    within((registry) =>
      registry.write('files', [sight('search', 'a'), { kind: 'prompt', name: 'search', seen, isListed: true }], 1),
    );
    within((registry) => registry.write('mail', [{ kind: 'prompt', name: 'search', seen, isListed: true }], 1));
    expect(listers('search')).toEqual(['files']);
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'search', isListed: false }], 2));
    expect(listers('search')).toEqual([]);
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'search', isListed: true }], 3));
    expect(listers('search')).toEqual(['files']);
  });

  it.each(['--', '\u200B', '', 'a\0b', '\uD800', '"a"', '名前'])('are found for any name: %j', (name) => {
    for (const server of ['a\0', 'b', '\uD801']) {
      within((registry) =>
        registry.write(
          server,
          ['_', 'a', '\uDC00', name].map((tool) => sight(tool, 'a')),
          1,
        ),
      );
    }
    expect(listers(name)).toEqual(['a\0', 'b', '\uD801']);
  });

  it('are found by name, though what names look like was noted by a clawai that saw otherwise', () => {
    within((registry) => registry.write('files', [sight('search', 'a')], 1));
    const database = new DatabaseSync(file);
    database.exec("UPDATE registry SET look = 'other', first_seen = 9223372036854775807");
    database.close();
    expect(listers('search')).toEqual(['files']);
  });

  it('are all of them, however many there are', () => {
    for (let i = 0; i < 50; i++) within((registry) => registry.write(`server${i}`, [sight('search', 'a')], i));
    expect(listers('search')).toEqual(Array.from({ length: 50 }, (_, i) => `server${i}`));
  });

  it('are looked up in an index, in its order', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    const prepare = database.prepare.bind(database);
    const plans: unknown[] = [];
    database.prepare = (sql) => {
      plans.push(
        ...prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map(({ detail }) => detail),
      );
      return prepare(sql);
    };
    new RegistryRows(database).listers('search');
    expect(plans).toEqual(['SEARCH registry USING INDEX registry_tools (name=?)']);
    database.close();
  });
});

describe('all tools that are known', () => {
  const tools = (): unknown => within((registry) => registry.tools());

  it('are none at first', () => {
    expect(tools()).toEqual(new Map());
  });

  it('are those of each server, also of one that lists them no longer, and none of one that never listed any', () => {
    within((registry) => {
      registry.write('mail', [sight('send', 'a')], 1);
      registry.write('files', [sight('write', 'a'), sight('read', 'b')], 2);
      registry.write('files', [{ ...sight('ask', 'c'), kind: 'prompt', seen: definition('ask', 'c', 'prompt') }], 2);
      registry.write('files', [sight('read', 'b', { isListed: false })], 3);
      registry.writeServer('silent', { type: 'stdio', text: '{}', fingerprint: 'sha256:a' }, { isPinned: true, now: 4 });
    });
    expect(tools()).toEqual(
      new Map([
        ['silent', []],
        ['files', ['read', 'write']],
        ['mail', ['send']],
      ]),
    );
  });

  it('are told by their names as they are', () => {
    const odd = ['\0', '\ud800', 'é', 'a b', ''];
    within((registry) => {
      for (const name of odd) registry.write(name, [sight(name, 'a')], 1);
    });
    const found = within((registry) => registry.tools());
    expect(new Set(found.keys())).toEqual(new Set(odd));
    for (const name of odd) expect(found.get(name)).toEqual([name]);
  });
});

describe('the path of every call', () => {
  it('reads one row by its key, and no text', () => {
    within((registry) => registry.write('files', [sight('read', 'a')], 1));
    const database = new DatabaseSync(file);
    const plan = database
      .prepare(
        'EXPLAIN QUERY PLAN SELECT kind, name, pinned, seen, is_listed FROM registry WHERE server = ? AND kind = ? AND name = ?',
      )
      .all('files', 'tool', 'read');
    database.close();
    expect(plan.map(({ detail }) => detail)).toEqual([
      'SEARCH registry USING INDEX sqlite_autoindex_registry_1 (server=? AND kind=? AND name=?)',
    ]);
  });
});

describe('what detection found', () => {
  const CLEAN = { version: '1', severity: undefined, isCut: false, detections: [] };
  const FOUND = {
    ...CLEAN,
    severity: 'high' as const,
    detections: [
      { rule: 'a.b', family: 'exfiltration' as const, severity: 'high' as const, description: 'd', field: 'f', matches: [] },
    ],
  };
  const names = (version = '1'): readonly string[] =>
    within((registry) => registry.unscanned('files', 'tool', version)).map(({ name }) => name);

  it('is kept of a definition as it is, and gone when it is another one', () => {
    within((registry) => registry.write('files', [sight('read', 'a'), sight('write', 'b')], 1));
    expect(names()).toEqual(['read', 'write']);
    within((registry) => registry.writeScanResult('files', definition('read', 'a'), FOUND, 2));
    within((registry) => registry.writeScanResult('files', definition('write', 'b'), CLEAN, 2));
    expect(names()).toEqual([]);
    expect(names('2')).toEqual(['read', 'write']);
    expect(within((registry) => registry.scanResult('files', 'tool', 'read', 'sha256:a'))).toEqual(FOUND);
    expect(within((registry) => registry.scanResult('files', 'tool', 'read', 'sha256:x'))).toBeUndefined();
    expect(within((registry) => registry.scanResult('files', 'prompt', 'read', 'sha256:a'))).toBeUndefined();
    expect(within((registry) => [...registry.found('files', 'tool')])).toEqual([['read', FOUND]]);
    // As a clawai writes it that knows nothing of detection.
    within((registry) => registry.write('files', [sight('read', 'c')], 3));
    expect(within((registry) => [...registry.found('files', 'tool')])).toEqual([]);
    expect(names()).toEqual(['read']);
  });

  it('is kept of what was seen last and of what is trusted, and of nothing else', () => {
    within((registry) => registry.write('files', [sight('read', 'a', { isPinned: true })], 1));
    for (const body of ['a', 'b', 'c', 'd']) {
      within((registry) => registry.write('files', [sight('read', body)], 2));
      within((registry) => registry.writeScanResult('files', definition('read', body), FOUND, 2));
    }
    expect(query(file, 'SELECT fingerprint FROM registry_looks ORDER BY 1')).toEqual(
      ['sha256:a', 'sha256:d'].map((fingerprint) => ({ fingerprint })),
    );
    within((registry) => registry.writeScanResult('files', definition('never', 'x'), FOUND, 2));
    within((registry) => registry.writeScanResult('files', definition('read', 'x'), FOUND, 2));
    expect(query(file, 'SELECT * FROM registry_looks')).toHaveLength(2);
  });

  it('is looked for in what is listed, and has its text kept', () => {
    within((registry) => registry.write('files', [sight('read', 'a'), sight('gone', 'b')], 1));
    within((registry) => registry.write('files', [{ kind: 'tool', name: 'gone', isListed: false }], 2));
    expect(within((registry) => registry.unscanned('files', 'tool', '1'))).toEqual([definition('read', 'a')]);
  });

  it('says who trusted it', () => {
    within((registry) => registry.write('files', [sight('read', 'a', { isPinned: true })], 1));
    expect(within((registry) => registry.pin('files', 'tool', 'read'))?.isApproved).toBeUndefined();
    alter(file, 'UPDATE registry SET approved_at = 1');
    expect(within((registry) => registry.pin('files', 'tool', 'read'))?.isApproved).toBe(true);
  });
});
