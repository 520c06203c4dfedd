import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordViews } from '../../../src/cli/dashboard/record-views.ts';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';
import { runCli } from '../../support/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'clawai-views-'));
const file = join(folder, 'clawai.db');
const views = new RecordViews(file, undefined);
const asked = (text: string): URLSearchParams => new URLSearchParams(text);
const HOSTILE = '\u202Es';
let store: RecordedStore;

beforeAll(() => {
  store = new RecordedStore(file);
  const now = Date.now();
  for (let at = 0; at < 250; at++) {
    const isDenied = at % 5 === 0;
    store.add(
      recordedCall({
        id: `00000000000000aa.${at}`,
        timestamp: new Date(now - 2000 + at).toISOString(),
        session_id: at < 240 ? 'long' : HOSTILE,
        server_id: at % 2 === 0 ? 'files' : 'mail',
        tool_name: `tool-${at}`,
        ...(isDenied ? { action: 'block', decision: 'deny' } : {}),
      }),
    );
  }
  const flow = {
    type: 'mcp_cross_server_blocked',
    timestamp: new Date(now).toISOString(),
    session_id: HOSTILE,
    server_id: 'mail',
    tool_name: 'tool-249',
  };
  const related = [
    { call_id: '00000000000000aa.240', server_id: 'files', tool_name: 'tool-240', timestamp: new Date(now).toISOString() },
  ];
  store.add({
    ...flow,
    action: 'block',
    severity: 'high',
    call_id: '00000000000000aa.249',
    rule: 'read_then_send',
    reason: 'why',
    related_calls: related,
  });
});

afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

it('there is nothing where nothing was recorded yet', () => {
  const none = new RecordViews(join(folder, 'none.db'), undefined);
  expect(none.events(asked(''))).toEqual({ events: [], hasMore: false });
  expect(none.event(asked('seq=1')).lines).toEqual(['It is not on record any more.']);
  expect(none.sessions()).toEqual({ sessions: [] });
  expect(none.session(asked('session=x'))).toEqual({ calls: [], hasMore: false, flows: [], report: [] });
  expect(none.rates().servers).toEqual([]);
});

describe('events', () => {
  it('come in pages, newest first in time, each once', () => {
    const seen: string[] = [];
    let before = '';
    for (;;) {
      const { events, hasMore } = views.events(asked(before));
      seen.unshift(...events.map(({ subject }) => subject ?? ''));
      before = `before=${events[0]?.seq}`;
      if (!hasMore) break;
    }
    expect(seen).toEqual([...Array.from({ length: 250 }, (_, at) => `tool-${at}`), 'tool-249']);
  });

  it.each([
    ['action=block&server=files', 25],
    ['server=m*&tool=tool-24?', 6],
    ['session=long&action=block', 48],
    ['type=mcp_cross_server_blocked', 1],
    ['server=none', 0],
  ])('that %s asks for are %i', (query, count) => {
    const { events } = views.events(asked(query));
    expect(events).toHaveLength(count);
  });

  it.each(['before=x', 'before=-1', 'before=1.5'])('%s is refused', (query) => {
    expect(() => views.events(asked(query))).toThrow('before is no number');
  });

  it('are shown as they are on record, if they still are', () => {
    expect(views.event(asked('seq=3')).lines.join('\n')).toContain('"tool_name": "tool-2"');
    expect(views.event(asked('seq=999')).lines).toEqual(['It is not on record any more.']);
    expect(() => views.event(asked('seq=x'))).toThrow('seq is no number');
  });
});

describe('sessions', () => {
  it('are counted, the last one first, with names that hide nothing', () => {
    expect(views.sessions().sessions).toMatchObject([
      { session: '\\u{202E}s', key: HOSTILE, calls: 10, denied: 2, servers: 2 },
      { session: 'long', calls: 240, denied: 48, servers: 2 },
    ]);
  });

  it('have their calls, flows and report', () => {
    const { calls, hasMore, flows, report } = views.session(asked(`session=${encodeURIComponent(HOSTILE)}`));
    expect(calls.map(({ subject }) => subject)).toEqual(Array.from({ length: 10 }, (_, at) => `tool-${240 + at}`));
    expect(hasMore).toBe(false);
    expect(flows).toMatchObject([
      { to: calls[9]?.id, from: [calls[0]?.id], sink: expect.stringContaining('"tool-249" of "mail"') as string },
    ]);
    expect(report.join('\n')).toContain('\\u{202E}s');
  });
});

it('rates are by server and minute, for an hour', () => {
  const { servers } = views.rates();
  const sums = servers.map(({ server, allowed, denied }) => [
    server,
    allowed.length,
    denied.length,
    ...[allowed, denied].map((each) => each.reduce((a, b) => a + b, 0)),
  ]);
  expect(sums.toSorted()).toEqual([
    ['files', 60, 60, 100, 25],
    ['mail', 60, 60, 100, 25],
  ]);
});

it('nobody but a person at a terminal opens the dashboard', async () => {
  const { code, stdout, stderr } = await runCli(['dashboard', '--no-open']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('clawai dashboard is for a person');
});
