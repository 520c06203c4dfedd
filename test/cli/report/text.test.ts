import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/audit/event-types.ts';
import { displayWidth } from '../../../src/cli/terminal/text.ts';
import { summarise } from '../../../src/cli/report/summarise.ts';
import { formatReport } from '../../../src/cli/report/text.ts';
import type { TextOptions } from '../../../src/cli/terminal/layout.ts';
import { type Body, recordedCall } from '../../support/recorded-store.ts';
import { recordedFlow, stored } from '../../support/report-events.ts';

const PLAIN: TextOptions = { width: Infinity, colour: false, now: Date.UTC(2026, 5, 1) };

function text(bodies: readonly Body[], options: Partial<TextOptions> = {}, session: string | null = 'session-a'): string {
  const scope = { session: session ?? undefined, since: undefined, until: undefined };
  return formatReport(
    summarise(
      bodies.map((body) => stored(body)),
      scope,
    ),
    { ...PLAIN, ...options },
  );
}

const DENIED = recordedCall({ action: 'block', decision: 'deny', rule: 'no-rm', tool_name: 'rm' });
const ENDED = recordedCall({ type: 'mcp_connection_ended', tool_name: undefined, action: undefined });

/** One of everything. */
const BUSY: readonly Body[] = [
  recordedCall(),
  DENIED,
  recordedCall({ decision: 'prompt', approval: 'granted', approved_by: 'ann' }),
  recordedCall({ action: 'block', decision: 'deny', reason: 'rate_limit', rule: undefined }),
  recordedCall({ decision: 'deny', mode: 'observe' }),
  recordedFlow({ timestamp: '2026-03-01T12:00:30.000Z', evidence: 'a text of 40 characters', evidence_encoding: 'base64' }),
  recordedFlow({ timestamp: '2026-03-01T12:00:31.000Z', action: 'alert', rule: 'burst', severity: 'high', call_id: 'then' }),
  recordedCall({ type: 'mcp_tool_changed', kind: 'tool', action: 'block', changes: [{ field: 'description' }] }),
  recordedCall({ type: 'mcp_server_changed', tool_name: undefined, action: 'alert', changes: [{ field: 'args[1]' }] }),
  recordedCall({ type: 'mcp_detection', severity: 'high', action: 'alert', detection: { pattern: 'exfiltration' } }),
  recordedCall({
    type: 'mcp_message_refused',
    from: 'client',
    reason: 'two ids',
    skipped: [{ what: 'method', why: 'too_long' }],
  }),
  recordedCall({ type: 'mcp_policy_changed', tool_name: undefined, action: undefined, status: 'loaded' }),
  {
    ...ENDED,
    messages_passed: 1204,
    answers_unasked: 1,
    results_read: 9,
    results_cut: 1,
    results_not_read: 2,
    calls_without_turn: 4,
  },
];

describe('calls of models', () => {
  const ofModel = { type: 'mcp_tool_call_intercepted', server_id: 'native', tool_name: 'Bash' };

  it('are said apart from those at servers', () => {
    const shown = text([recordedCall(), recordedCall(ofModel), { ...DENIED, ...ofModel }]);
    expect(shown).toContain('2 calls by the model: 1 allowed, 1 denied.\n1 call to 1 server: 1 allowed, 0 denied.\n');
    expect(shown).toMatch(/CALLS +ACTION +BY +REASON.*\n +1 +block +model +rule +no-rm +native:Bash\n/);
    expect(shown).toMatch(/SERVER +CALLS +DENIED +BY MODEL +DENIED .*\n +native +0 +0 +2 +1 /);
  });

  it('and of which of those is said that they were in an answer before', () => {
    const shown = text([
      recordedCall({ ...ofModel, id: 'm.1' }),
      recordedCall({ ...ofModel, id: 'm.2' }),
      recordedCall({ sighting_of: 'm.1' }),
    ]);
    expect(shown).toContain('1 call by the model that came to no server: 1 allowed, 0 denied.\n');
    expect(shown.replaceAll('\n', ' ')).toContain(
      '1 call to 1 server: 1 allowed, 0 denied. Of these, 1 was seen before, in an answer of the model.',
    );
  });

  it('and no calls at servers', () => {
    const shown = text([recordedCall({ ...ofModel, mode: 'observe', decision: 'deny' })]);
    expect(shown).toContain(
      '1 call by the model: 1 allowed, 0 denied.\nNo calls to servers.\n1 call by the model passed although',
    );
  });

  it('nothing is said of them where there are none', () => {
    expect(text([recordedCall(), DENIED])).not.toMatch(/model/i);
  });
});

describe('the report as text', () => {
  it('says everything that there is, the most important first', () => {
    const shown = text(BUSY).split('\n');
    const headings = shown.filter((line, i) => i > 0 && line !== '' && shown[i - 1] === '');
    expect(headings).toEqual([
      'Flows',
      'Denials',
      'Changed definitions',
      'Detections',
      'Rate limits',
      'Approvals',
      'Servers',
      'Refused messages',
      'Not inspected',
    ]);
    expect(shown[0]).toMatch(/^Session session-a: 03-01 \d\d:00:00 to 03-01 \d\d:00:31, 31 s$/);
    expect(shown[1]).toBe('5 calls to 1 server: 3 allowed, 2 denied; 1 server without a call.');
    for (const line of [
      '1 call passed although the policy does not allow it, since clawai only observed.',
      'Findings: 1 critical, 2 high.',
      'A changed policy was taken over.',
      '             burst high: it would send what it read; id then',
      '             read_then_send critical; id now',
      '  1      block     rule        no-rm    files:rm',
      '  1      observed  rule        reading  files:read_file',
      '  block   files   read_file            1      description',
      '  alert   files   (how it is started)  1      args[1]',
      '  high  exfiltration  files:read_file, 1 time',
      '  files: 1 call too many',
      '  1 granted',
      '  answered by ann (1)',
      '  files   5      2       1      5         2      read_file 4, rm 1',
      '  1 of the client, to files: two ids',
      '  method of 1 event not recorded, nor looked at, in full (too_long)',
      '  2 results not read for values that flow on',
      '  1 result read in part for values that flow on',
      '  1,204 messages that no rule can be about',
      '  1 answer that no request had asked for',
      '  no connection has ended yet of mail: its messages are not counted here',
    ]) {
      expect(shown).toContain(line);
    }
    expect(shown[shown.indexOf('Flows') + 1]).toMatch(
      /^ {2}denied {5}a text of 40 characters, as base64, that "read_file" of "files" returned at \d\d:59:57$/,
    );
  });

  it('says where turns are not known, as that is what some flow rules ask for', () => {
    const looked = { inspectors: ['policy', 'flow'] };
    const line = '  2 calls of no known turn, so that flow rules of one turn (same_turn_only) could not match\n';
    expect(text([recordedCall(looked), recordedCall({ ...looked, server_id: 'mail' })])).toContain(line);
    expect(text([recordedCall(looked), recordedCall(looked)])).not.toContain('turn');
  });

  it('says plainly that there is nothing', () => {
    expect(text([recordedCall(), ENDED]).split('\n').slice(1, 5)).toEqual([
      '1 call to 1 server: 1 allowed, 0 denied.',
      '',
      'Nothing was denied, no flow was found, and nothing has changed.',
      '',
    ]);
    expect(text([ENDED])).toContain('\nNo calls; 1 server without a call.\n');
  });

  it('about all of a time, has a line for each session', () => {
    const bodies = [recordedCall(), recordedFlow({ session_id: 's-2', timestamp: '2026-03-02T12:00:00.000Z' })];
    const shown = text(bodies, {}, null).split('\n');
    expect(shown[0]).toMatch(/^2 sessions: 03-01 \d\d:00:00 to 03-02 \d\d:00:00, 1 d$/);
    expect(shown.find((line) => line.includes('read_then_send'))).toMatch(/; session s-2$/);
    const at = shown.indexOf('Sessions');
    expect(shown.slice(at + 1, at + 4).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['SESSION', 'BEGAN', 'FOR', 'SERVERS', 'CALLS', 'DENIED', 'FLOWS'],
      ['s-2', expect.any(String), '0 s', '1', '0', '0', '1'],
      ['session-a', expect.any(String), '0 s', '1', '1', '0', '0'],
    ]);
  });

  it('hazard 52: says how much it does not show', () => {
    const bodies = Array.from({ length: 70 }, (_, i) => ({ ...DENIED, rule: `rule ${i}` }));
    expect(text(bodies)).toContain('\n  … and 60 more calls; --json has more of them\n');
  });

  it('fits a terminal, and colours only there', () => {
    const coloured = text(BUSY, { colour: true, width: 72 });
    expect(coloured).toContain('\u001b[31mdenied   \u001b[39m');
    const lines = stripVTControlCharacters(coloured).split('\n');
    expect(lines.filter((line) => displayWidth(line) > 72)).toEqual([]);
    expect(stripVTControlCharacters(coloured)).toBe(text(BUSY, { width: 72 }));
    expect(text(BUSY)).toBe(stripVTControlCharacters(text(BUSY)));
  });

  it.each([40, 80])('a way of a value fits %i columns, whatever the names are', (width) => {
    const [long, wide] = ['n\n'.repeat(400), '日本'.repeat(400)];
    const source = { timestamp: '2026-03-01T11:59:57.000Z', server_id: wide, tool_name: long, call_id: 'past' };
    const flow = recordedFlow({ server_id: long, tool_name: wide, evidence: 'a number', related_calls: [source] });
    expect(
      text([flow], { width })
        .split('\n')
        .filter((line) => displayWidth(line) > width),
    ).toEqual([]);
  });

  it('nothing that a peer wrote steers a terminal or looks like a line of the report', () => {
    const hostile = 'x\n\u001b[31m\u202Ey\u0000';
    const bodies = BUSY.map((body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value !== 'string' || ['type', 'timestamp', 'action', 'severity'].includes(name) ? value : hostile,
        ]),
      ),
    );
    const shown = text([...bodies, recordedFlow({ related_calls: [{ server_id: hostile, tool_name: hostile }] })], {}, hostile);
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown).not.toMatch(/^y/m);
  });

  it('stands whatever is in a store', () => {
    const value = fc.oneof(fc.constantFrom('allow', 'block', 'observe', 'deny', 'granted'), fc.string(), fc.jsonValue());
    const names = [...new Set(BUSY.flatMap((body) => Object.keys(body)))];
    const fields = fc.dictionary(fc.constantFrom(...names), value);
    const body = fc.tuple(fc.constantFrom(...EVENT_TYPES), fields).map(([type, more]) => ({ ...more, type }));
    fc.assert(
      fc.property(fc.array(body, { maxLength: 8 }), fc.integer({ min: 1, max: 120 }), (bodies, width) => {
        const events = bodies.map((each) => stored(each)).map((event) => ({ ...event, time: event.time || 0 }));
        const report = summarise(events, { session: undefined, since: undefined, until: undefined });
        expect(report.events).toBe(bodies.length);
        expect(formatReport(report, { ...PLAIN, width }).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});
