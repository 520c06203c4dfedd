import { describe, expect, it } from 'vitest';
import { formatScan, summarise } from '../../../src/cli/scan/scan-text.ts';
import { formatSarifScan } from '../../../src/cli/scan/scan-formats.ts';
import { readSarif } from '../../support/schema-check.ts';
import type { ScanFinding, ScannedServer } from '../../../src/scan/scanned.ts';

const LOOK = { width: 80, colour: false };

function server(name: string, more: Partial<ScannedServer> = {}): ScannedServer {
  return {
    name,
    clients: ['cursor'],
    places: [{ file: '/c.json', line: 1, pointer: `/mcpServers/${name}`, isShared: false }],
    launch: ['npx', name],
    launchFingerprint: '',
    looked: { kind: 'asked' },
    definitions: [],
    findings: [],
    skipped: [],
    ...more,
  };
}

function found(more: Partial<ScanFinding>): ScanFinding {
  return { id: 'no-schema', severity: 'medium', subject: 't', message: 'm', todo: 'do it', ...more };
}

function lines(servers: readonly ScannedServer[]): readonly string[] {
  return formatScan({ time: 0, servers, files: [] }, { look: LOOK, least: 'medium' }).split('\n');
}

describe('formatScan', () => {
  it('fits a terminal of 80 columns, whatever servers say', () => {
    const hostile = server(`s${'n'.repeat(30)}`, {
      launch: ['x'.repeat(500)],
      skipped: ['y '.repeat(300)],
      findings: [
        found({ subject: 'delete_it '.repeat(100) }),
        found({ severity: 'high', message: 'says so', quote: 'quote '.repeat(1000) }),
        found({ subject: '\u001b[31m\u202E', todo: 'z '.repeat(200) }),
      ],
    });
    const shown = lines([hostile, ...Array.from({ length: 40 }, (_, i) => server(`quiet-${i}`))]);
    expect(shown.filter((line) => line.length > 80 && !line.includes('delete_it'))).toEqual([]);
    expect(shown.join('\n')).not.toMatch(/[\u001b\u202E]/);
    expect(shown.length).toBeLessThan(60);
  });

  it('no server floods it: rows of one server are counted from some number on, the mildest ones', () => {
    const findings = Array.from({ length: 5000 }, (_, i) => found({ message: `m${i}`, severity: i < 2 ? 'critical' : 'medium' }));
    const shown = lines([server('fine', { findings: [found({})] }), server('floods', { findings })]);
    expect(shown.length).toBeLessThan(40);
    expect(shown.slice(0, 3)).toEqual([
      'floods  Cursor; 0 tools; npx floods',
      '  critical  t  m0 → do it',
      '  critical  t  m1 → do it',
    ]);
    expect(shown.join(' ')).toMatch(/4980 more like these; +`clawai scan floods --json` has all of them/);
  });
});

it('SARIF has a bounded number of results for one server, the worst of them, and says so', () => {
  const findings = Array.from({ length: 5000 }, (_, i) => found({ severity: i < 2 ? 'critical' : 'medium' }));
  const scan = { time: 0, servers: [server('floods', { findings }), server('fine', { findings: [found({})] })], files: [] };
  const { results } = readSarif(formatSarifScan(scan, '/')).runs[0];
  expect(results.map(({ level }) => level).filter((level) => level === 'error')).toHaveLength(2);
  expect([results.length, results[1000], results[1001]]).toMatchObject([
    1002,
    { ruleId: 'scan/not-looked-at', message: { text: expect.stringContaining('there are 5000 findings') } },
    { message: { text: 'fine, t: m; do it' } },
  ]);
});

const NOT = { kind: 'not', why: 'w', todo: 't' } as const;
const BROKEN = [{ file: '/c.json', clients: [], findings: [], problem: 'it is broken' }];

it.each([
  [[], [], 'No MCP servers were found in the configs of any known client.'],
  [[], BROKEN, '0 servers, 1 config not read: nothing found.'],
  [[server('a')], [], '1 server, all looked at: nothing found.'],
  [[server('a', { looked: NOT })], [], '1 server, none looked at: nothing found in their configs.'],
  [
    [server('a'), server('b', { looked: NOT }), server('c', { skipped: ['x'] })],
    BROKEN,
    '3 servers, 1 looked at, 1 in part, 1 not, 1 config not read: nothing found.',
  ],
  [
    [server('a', { looked: NOT, findings: [found({ severity: 'low' })] })],
    [],
    '1 server, none looked at: 1 low (--all shows them).',
  ],
])('%#: sums up', (servers, files, expected) => {
  expect(summarise({ time: 0, servers, files }, 'medium')).toBe(expected);
});
