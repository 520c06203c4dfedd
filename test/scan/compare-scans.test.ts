import { describe, expect, it } from 'vitest';
import { compareScans } from '../../src/scan/compare-scans.ts';
import { formatSavedScan, parseSavedScan, type SavedScan } from '../../src/scan/saved-scan.ts';
import type { Scan, ScanFinding, ScannedServer } from '../../src/scan/scanned.ts';

const FINDING: ScanFinding = {
  id: 'same-name',
  severity: 'medium',
  subject: 'x',
  message: 'm',
  todo: 't',
  quotes: ['their words'],
};

function server(name: string, more: Partial<ScannedServer> = {}): ScannedServer {
  return {
    name,
    clients: ['cursor'],
    places: [{ file: '/c.json', line: 1, pointer: `/mcpServers/${name}`, isShared: false }],
    launch: ['npx', name],
    launchFingerprint: `sha256:${name}`,
    looked: { kind: 'asked' },
    definitions: [{ kind: 'tool', name: 't', fingerprint: '1' }],
    findings: [],
    skipped: [],
    ...more,
  };
}

function scan(servers: readonly ScannedServer[], files: Scan['files'] = []): Scan {
  return { time: 1, servers, files };
}

function save(of: Scan): SavedScan {
  const saved = parseSavedScan(formatSavedScan(of));
  if (saved === undefined) throw new Error('a saved scan must be readable');
  return saved;
}

describe('a saved scan', () => {
  it('has no words of a server, and compares as equal with itself', () => {
    const one = scan([server('a', { findings: [FINDING] })], [{ file: '/c.json', clients: [], findings: [FINDING] }]);
    expect(formatSavedScan(one)).not.toContain('their words');
    expect(compareScans(save(one), one)).toEqual({ since: 1, servers: [], goneServers: [], files: [] });
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"format":2,"time":1,"servers":[],"files":[]}',
    '{"format":1,"time":1,"servers":[{}],"files":[]}',
  ])('is none: %s', (text) => {
    expect(parseSavedScan(text)).toBeUndefined();
  });
});

describe('compareScans', () => {
  const before = save(scan([server('a', { findings: [FINDING] }), server('b')]));

  it('a server that came, and one that went', () => {
    const changes = compareScans(before, scan([server('b'), server('c')]));
    expect(changes.servers).toMatchObject([{ server: { name: 'c' }, status: 'new' }]);
    expect(changes.goneServers).toMatchObject([{ name: 'a' }]);
  });

  it('another launch', () => {
    const changes = compareScans(before, scan([server('a', { findings: [FINDING], launchFingerprint: 'other' }), server('b')]));
    expect(changes.servers).toMatchObject([{ server: { name: 'a' }, status: 'relaunched' }]);
  });

  it('definitions that came, changed and went', () => {
    const definitions = [
      { kind: 'tool', name: 't', fingerprint: '2' },
      { kind: 'prompt', name: 't', fingerprint: '1' },
    ] as const;
    expect(
      compareScans(before, scan([server('a', { findings: [FINDING] }), server('b', { definitions })])).servers,
    ).toMatchObject([{ server: { name: 'b' }, added: [{ kind: 'prompt' }], changed: [{ kind: 'tool' }], removed: [] }]);
    expect(
      compareScans(before, scan([server('a', { findings: [FINDING] }), server('b', { definitions: [] })])).servers,
    ).toMatchObject([{ removed: [{ name: 't' }] }]);
  });

  it('nothing is gone because nobody looked', () => {
    const unseen = server('a', { looked: { kind: 'not', why: 'w', todo: 't' }, definitions: [] });
    expect(compareScans(before, scan([unseen, server('b')])).servers).toEqual([]);
    expect(compareScans(save(scan([unseen])), scan([server('a')])).servers).toEqual([]);
  });

  it('findings that came and went', () => {
    const other = { ...FINDING, subject: 'y' };
    expect(compareScans(before, scan([server('a', { findings: [other] }), server('b')])).servers).toMatchObject([
      { newFindings: [{ subject: 'y' }], goneFindings: [{ subject: 'x' }] },
    ]);
    const files = [{ file: '/c.json', clients: [], findings: [FINDING] }];
    expect(compareScans(before, scan([server('a', { findings: [FINDING] }), server('b')], files)).files).toEqual([
      { file: '/c.json', newFindings: [FINDING] },
    ]);
  });
});
