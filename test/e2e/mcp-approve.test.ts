import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MOST_KEPT } from '../../src/store/rows/registry-rows.ts';
import { AtTerminal, HAS_TERMINAL } from '../support/at-terminal.ts';
import { useSandbox } from '../support/attempt.ts';
import { StoreHolder } from '../support/guarded.ts';
import { defined, launched, register, sighted } from '../support/registered.ts';
import { query } from '../support/stored.ts';

const sandbox = useSandbox();

/** A server that was trusted and has changed two of its tools, and listed one more. */
function change(): string {
  const file = sandbox.current.storeFile;
  mkdirSync(dirname(file), { recursive: true });
  register(file, (registry) => {
    registry.write('files', [sighted('read', 'Reads.', { isPinned: true }), sighted('write', 'Writes.', { isPinned: true })], 1);
    registry.writeServer('files', launched('npx', 'files@1'), { isPinned: true, now: 1 });
    registry.write('other', [sighted('read', 'Reads.')], 1);
  });
  register(file, (registry) => {
    registry.write('files', [sighted('read', 'Reads. And sends.'), sighted('write', 'Writes. And sends.')], 2);
    registry.write('files', [sighted('more', 'More.')], 2);
    registry.writePage('files', 'tool', '', 'digest', 2);
  });
  return file;
}

function statuses(): Record<string, string> {
  const file = sandbox.current.storeFile;
  const rows = query(file, "SELECT server || ':' || name AS name, coalesce(pinned = seen, -1) AS trusted FROM registry");
  const words = { '1': 'pinned', '0': 'changed', '-1': 'new' };
  return Object.fromEntries(rows.map(({ name, trusted }) => [String(name), words[String(trusted) as '0']]));
}

const CHANGED = { 'files:read': 'changed', 'files:write': 'changed', 'files:more': 'new', 'other:read': 'new' };

describe('clawai mcp approve', () => {
  it('is for a person', async () => {
    change();
    const { code, stderr } = await sandbox.current.clawai('mcp', 'approve', 'files:read').close();
    expect([code, stderr]).toEqual([2, expect.stringContaining('is for a person, and stdin is no terminal')]);
    expect(statuses()).toEqual(CHANGED);
  });

  it.each([
    [[]],
    [['files:read', 'files:write']],
    [['--all']],
    [['--server', 'files']],
    [['files:read', '--server', 'files', '--all']],
  ])('takes one name, or all of one server: %j', async (words) => {
    const { code, stderr } = await sandbox.current.clawai('mcp', 'approve', ...words).close();
    expect([code, stderr]).toEqual([2, expect.stringContaining('takes one SERVER:NAME, or --server SERVER with --all')]);
    expect(existsSync(sandbox.current.storeFile)).toBe(false);
  });
});

describe('clawai approvals', () => {
  it('lists what servers declare and nobody has trusted as it is, with the command that does', async () => {
    change();
    const { code, stdout } = await sandbox.current.clawai('approvals').close();
    expect(code).toBe(2);
    expect(stdout).toContain('files:read: changed since it was trusted\n    clawai approve files:read\n');
    const listed = await sandbox.current.clawai('approvals', '--json').close();
    const lines = listed.stdout.split('\n').slice(0, -1);
    const found = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.filter((one) => one['server'] === 'files' && one['waits_for'] === 'trust').length).toBeGreaterThanOrEqual(2);
    expect([listed.code, new Set(found.map((one) => one['waits_for']))]).toEqual([0, new Set(['trust'])]);
  });
});

describe.runIf(HAS_TERMINAL)('a person at a terminal', () => {
  const approve = (...words: readonly string[]): AtTerminal => new AtTerminal(sandbox.current, ['mcp', 'approve', ...words]);

  /** Shows the question, and answers it when answers count. */
  async function answer(person: AtTerminal, key: string): Promise<{ code: number | null; text: string }> {
    await person.shows('[y/N]');
    person.send(`${key}\r`);
    const { code } = await person.ended;
    return { code, text: person.text.replaceAll('\r', '') };
  }

  it('sees what was found in what was trusted on first use, says yes, and that is theirs', async () => {
    const file = change();
    register(file, (registry) => {
      const detections = [
        { rule: 'a.b', family: 'exfiltration', severity: 'high', description: 'Sends', field: 'description', matches: [] },
      ] as const;
      const definition = defined('kept', 'Keeps.');
      registry.write('files', [sighted('kept', 'Keeps.', { isPinned: true })], 3);
      registry.writeScanResult('files', definition, { version: '1', severity: 'high', isCut: false, detections }, 3);
    });
    const { code, text } = await answer(approve('files:kept'), 'y');
    expect(text).toContain('Keeps.');
    expect([code, text]).toEqual([0, expect.stringContaining('approved: files:kept\n')]);
    expect(query(file, "SELECT approved_by FROM registry WHERE name = 'kept'")).toEqual([
      { approved_by: expect.stringContaining('pid') as string },
    ]);
  });

  it('sees what has changed, says yes, and that is trusted', async () => {
    const file = change();
    const { code, text } = await answer(approve('files:read'), 'y');
    expect(text).toContain('    - "Reads."\n    + "Reads. And sends."\n');
    expect([code, text]).toEqual([0, expect.stringContaining('approved: files:read\n')]);
    expect(statuses()).toEqual({ ...CHANGED, 'files:read': 'pinned' });
    expect(query(file, 'SELECT * FROM registry_listings')).toEqual([]);
    const { stdout } = await sandbox.current.clawai('mcp', 'registry', 'list', '--json', '--status', 'pinned').close();
    expect(JSON.parse(stdout)).toMatchObject({ name: 'read', approved_by: expect.stringContaining('pid') as string });
  });

  it.each(['n', '', 'yes'])('says %j, and nothing is', async (key) => {
    change();
    const { code, text } = await answer(approve('files:read'), key);
    expect([code, text]).toEqual([1, expect.stringContaining('nothing was approved')]);
    expect(statuses()).toEqual(CHANGED);
  });

  it('sees everything of a server, with how it is started, and says yes once', async () => {
    const file = change();
    register(file, (registry) => registry.writeServer('files', launched('npx', 'files@2'), { isPinned: false, now: 3 }));
    const { code, text } = await answer(approve('--server', 'files', '--all'), 'y');
    for (const told of [
      'how files is started',
      '- "files@1"',
      '+ "files@2"',
      'files:read',
      'files:write',
      '"description": "More."',
    ]) {
      expect(text).toContain(told);
    }
    expect(text).toContain('Trust these 4 as shown? [y/N]');
    expect([code, text]).toEqual([0, expect.stringContaining('approved: all 4 of files\n')]);
    expect(statuses()).toEqual({ 'files:read': 'pinned', 'files:write': 'pinned', 'files:more': 'pinned', 'other:read': 'new' });
    expect(query(file, 'SELECT pinned = seen AS trusted FROM registry_servers')).toEqual([{ trusted: 1 }]);
  });

  it('is told that how the server is started has changed too', async () => {
    const file = change();
    register(file, (registry) => registry.writeServer('files', launched('evil'), { isPinned: false, now: 3 }));
    const { text } = await answer(approve('files:read'), 'y');
    expect(text).toContain('how files is started has changed too, and is not approved');
    expect(query(file, 'SELECT pinned = seen AS trusted FROM registry_servers')).toEqual([{ trusted: 0 }]);
  });

  it('hazard 43: what changes between the question and the yes is not approved', async () => {
    const file = change();
    const person = approve('--server', 'files', '--all');
    await person.shows('[y/N]');
    register(file, (registry) => registry.write('files', [sighted('write', 'Worse.')], 3));
    person.send('y\r');
    const { code } = await person.ended;
    expect([code, person.text]).toEqual([1, expect.stringContaining('files:write is not as it was shown any more')]);
    expect(statuses()).toEqual(CHANGED);
    expect(register(file, (registry) => registry.pin('files', 'tool', 'write'))?.pinned).toBe(
      defined('write', 'Writes.').fingerprint,
    );
  });

  it('of two who say yes to the same, both are right', async () => {
    change();
    const both = [approve('files:read'), approve('files:read')];
    await Promise.all(both.map((person) => person.shows('[y/N]')));
    const codes = await Promise.all(both.map(async (person) => (await answer(person, 'y')).code));
    expect(codes).toEqual([0, 0]);
    expect(both.filter((person) => person.text.includes('somebody else has approved that meanwhile')).length).toBe(1);
    expect(statuses()['files:read']).toBe('pinned');
  });

  it('waits for a store that others hold', async () => {
    change();
    const person = approve('files:read');
    await person.shows('[y/N]');
    const holder = await StoreHolder.hold(sandbox.current);
    person.send('y\r');
    setTimeout(() => void holder.release(), 300);
    expect((await person.ended).code).toBe(0);
    expect(statuses()['files:read']).toBe('pinned');
  });

  it('what can not be shown can not be approved', async () => {
    const file = change();
    register(file, (registry) => registry.write('files', [sighted('write', 'x'.repeat(MOST_KEPT.characters))], 3));
    const alone = approve('files:write');
    expect([(await alone.ended).code, alone.text]).toEqual([
      1,
      expect.stringContaining('what can not be shown can not be approved'),
    ]);
    const { text } = await answer(approve('--server', 'files', '--all'), 'y');
    expect(text).toContain('Trust these 2 as shown (1 can not be shown and stay as they are)?');
    expect(statuses()).toEqual({ ...CHANGED, 'files:read': 'pinned', 'files:more': 'pinned' });
  });

  it('sees what can not be seen', async () => {
    const file = change();
    register(file, (registry) => registry.write('files', [sighted('read', 'Reads.\u202E\u001b[2J\u00A0\u200B')], 3));
    const { text } = await answer(approve('files:read'), 'n');
    expect(text).toContain('+ "Reads.\\u{202E}\\u001b[2J\\u{A0}\\u{200B}"');
  });

  it.each([
    [['files:none'], 1, 'no server has listed files:none'],
    [['--server', 'none', '--all'], 1, 'nothing is known of none;'],
    [['other:read', '--kind', 'prompt'], 1, 'did you mean --kind tool?'],
  ])('%j is not there', async (words, code, text) => {
    change();
    const person = approve(...words);
    expect([(await person.ended).code, person.text]).toEqual([code, expect.stringContaining(text)]);
  });

  it('what is trusted need not be approved, and without a store there is nothing, and none is made', async () => {
    const nothing = approve('files:read');
    expect([(await nothing.ended).code, nothing.text]).toEqual([1, expect.stringContaining('no server has listed anything yet')]);
    expect(existsSync(sandbox.current.storeFile)).toBe(false);
    const file = change();
    register(file, (registry) => registry.write('files', [sighted('read', 'Reads.')], 3));
    const trusted = approve('files:read');
    expect([(await trusted.ended).code, trusted.text]).toEqual([0, expect.stringContaining('files:read is trusted as it is')]);
  });

  it('a table fits into the terminal', async () => {
    const file = change();
    register(file, (registry) =>
      registry.write('a-server-with-a-long-name', [sighted('x'.repeat(1000), 'h'), sighted('名'.repeat(100), 'h')], 3),
    );
    const listing = new AtTerminal(sandbox.current, ['mcp', 'registry', 'list']);
    await listing.ended;
    const lines = listing.text.replaceAll('\r', '').split('\n').slice(0, -2);
    expect(lines.filter((line) => line.includes('HASH')).length).toBe(1);
    expect(lines.filter((line) => line.replaceAll('名', '--').length > 80)).toEqual([]);
    expect(lines.filter((line) => line.includes('new') && line.includes('…')).length).toBe(2);
  });
});
