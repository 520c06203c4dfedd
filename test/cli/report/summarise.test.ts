import { describe, expect, it } from 'vitest';
import { type SessionReport, LISTED } from '../../../src/cli/report/report.ts';
import { summarise } from '../../../src/cli/report/summarise.ts';
import { toReportEvent } from '../../../src/cli/report/report-event.ts';
import type { StoredEvent } from '../../../src/store/reading/read.ts';
import { type Body, recordedCall } from '../../support/recorded-store.ts';
import { recordedFlow, stored } from '../../support/report-events.ts';

const SCOPE = { session: 'session-a', since: undefined, until: undefined };

function report(...bodies: readonly Body[]): SessionReport {
  return summarise(
    bodies.map((body) => stored(body)),
    SCOPE,
  );
}

function denied(fields: Body = {}): Body {
  return recordedCall({ action: 'block', decision: 'deny', ...fields });
}

describe('an empty report', () => {
  it('has every field', () => {
    expect(report()).toMatchInlineSnapshot(`
      {
        "approvals": {
          "answered_by": [],
          "expired": 0,
          "flood": 0,
          "granted": 0,
          "refused": 0,
          "unavailable": 0,
          "withdrawn": 0,
        },
        "calls": {
          "allowed": 0,
          "asked": {
            "expired": 0,
            "flood": 0,
            "granted": 0,
            "refused": 0,
            "unavailable": 0,
            "withdrawn": 0,
          },
          "denied": 0,
          "observed": 0,
          "total": 0,
        },
        "calls_by_url": {
          "process": 0,
          "servers": 0,
          "url": 0,
        },
        "calls_from_answers": 0,
        "changes": [],
        "changes_left_off": 0,
        "denials": [],
        "denials_left_off": 0,
        "detections_by_severity": {
          "critical": 0,
          "high": 0,
          "low": 0,
          "medium": 0,
        },
        "detections_left_off": 0,
        "detections_suppressed": 0,
        "duration_ms": 0,
        "ended": null,
        "events": 0,
        "events_erased": 0,
        "events_unreadable": 0,
        "findings_by_severity": {
          "critical": 0,
          "high": 0,
          "low": 0,
          "medium": 0,
        },
        "flows": [],
        "flows_left_off": 0,
        "flows_total": 0,
        "model_calls": {
          "allowed": 0,
          "asked": {
            "expired": 0,
            "flood": 0,
            "granted": 0,
            "refused": 0,
            "unavailable": 0,
            "withdrawn": 0,
          },
          "denied": 0,
          "observed": 0,
          "total": 0,
        },
        "model_requests": {
          "checked": 0,
          "refused": 0,
          "unchecked": 0,
        },
        "not_inspected": {
          "answers_unasked": null,
          "calls_without_turn": 0,
          "inspected_by": [],
          "messages_passed": null,
          "messages_refused": null,
          "results_cut": null,
          "results_not_read": null,
          "results_read": null,
          "servers_not_ended": [],
          "skipped": [],
        },
        "policies": {
          "changes": [],
          "hashes": [],
        },
        "rate_limits_hit": [],
        "refused_messages": [],
        "refused_messages_left_off": 0,
        "request_secrets": [],
        "servers": [],
        "servers_called": 0,
        "servers_connected": 0,
        "servers_left_off": 0,
        "session_id": "session-a",
        "sessions": [],
        "sessions_left_off": 0,
        "since": null,
        "started": null,
        "tools_called": 0,
        "tools_changed": 0,
        "tools_seen": 0,
        "top_detections": [],
        "until": null,
      }
    `);
  });
});

describe('calls', () => {
  it('are counted by what became of them', () => {
    const { calls, approvals } = report(
      recordedCall(),
      denied(),
      recordedCall({ decision: 'prompt', approval: 'granted', approved_by: 'ann at a terminal' }),
      denied({ decision: 'prompt', approval: 'refused', refused_by: 'ann at a terminal' }),
      denied({ decision: 'prompt', approval: 'expired' }),
      recordedCall({ decision: 'deny', mode: 'observe' }),
      recordedCall({ type: 'mcp_resource_read', tool_name: undefined, resource_uri: 'file:///x' }),
      recordedCall({ type: 'mcp_message_refused', action: 'block' }),
    );
    const asked = { granted: 1, refused: 1, expired: 1, flood: 0, unavailable: 0, withdrawn: 0 };
    expect(calls).toEqual({ total: 7, allowed: 4, denied: 3, observed: 1, asked });
    expect(approvals).toEqual({ ...asked, answered_by: [{ by: 'ann at a terminal', count: 2 }] });
  });

  it('are counted for each server, with its tools and its busiest minute', () => {
    const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1, 12) + seconds * 1000).toISOString();
    const { servers, ...all } = report(
      recordedCall({ timestamp: at(0) }),
      recordedCall({ timestamp: at(1) }),
      denied({ timestamp: at(100), tool_name: 'rm' }),
      recordedCall({ type: 'mcp_tool_seen', tool_name: 'idle', action: undefined }),
      recordedCall({ type: 'mcp_tool_changed', tool_name: 'rm', action: 'alert' }),
      recordedCall({ type: 'mcp_tool_seen', server_id: 'mail', tool_name: 'send', action: undefined }),
      recordedCall({ type: 'mcp_connection_ended', server_id: 'mail', tool_name: undefined, action: undefined }),
    );
    expect(servers).toMatchObject([
      {
        server_id: 'files',
        tools_seen: 3,
        tools_called: 2,
        tools_changed: 1,
        calls: { total: 3, denied: 1 },
        calls_per_minute_max: 2,
        busiest_tools: [
          { tool_name: 'read_file', calls: 2, denied: 0 },
          { tool_name: 'rm', calls: 1, denied: 1 },
        ],
        connections_ended: 0,
      },
      { server_id: 'mail', tools_seen: 1, tools_called: 0, calls_per_minute_max: 0, connections_ended: 1 },
    ]);
    expect(all).toMatchObject({ servers_connected: 2, servers_called: 1, tools_seen: 4, tools_called: 2, tools_changed: 1 });
    expect(all.not_inspected.servers_not_ended).toEqual(['files']);
  });
});

describe('calls of models', () => {
  const type = 'mcp_tool_call_intercepted';
  const native = { type, server_id: 'native', tool_name: 'Bash' };

  it('are counted apart from those that agents then make, so that no call is two', () => {
    const all = report(
      recordedCall({ type }),
      recordedCall(),
      denied({ ...native, rule: 'no-rm' }),
      recordedCall({ ...native, approval: 'granted', approved_by: 'ann' }),
      recordedCall({ approval: 'granted', approved_by: 'ann' }),
      recordedCall({ ...native, mode: 'observe', decision: 'deny' }),
      recordedCall({ ...native, type: 'mcp_denied_call_result', action: 'alert' }),
    );
    expect(all).toMatchObject({
      calls: { total: 2, allowed: 2, denied: 0, observed: 0 },
      model_calls: { total: 4, allowed: 3, denied: 1, observed: 1 },
      servers_connected: 1,
      servers_called: 1,
      tools_seen: 1,
      tools_called: 1,
      approvals: { granted: 2 },
      sessions: [{ servers: 1, calls: 2, denied: 0, model_calls: 4, model_denied: 1 }],
      servers: [
        { server_id: 'native', calls: { total: 0 }, model_calls: { total: 3, denied: 1 }, busiest_tools: [{ calls: 3 }] },
        { server_id: 'files', calls: { total: 2 }, model_calls: { total: 1 }, busiest_tools: [{ calls: 2 }] },
      ],
    });
    expect(all.not_inspected.servers_not_ended).toEqual(['files']);
  });

  it('that came by URL are counted by how their session was found', () => {
    const ways = ['process', 'process', 'servers', 'url', 'constructor', ''];
    const all = report(...ways.map((way) => recordedCall({ session_by: way })));
    expect(all.calls_by_url).toEqual({ process: 2, servers: 1, url: 1 });
  });

  it('that were seen again where they were made are one call each, asked about once', () => {
    const first = recordedCall({ type, id: 'm.1', approval: 'granted', approved_by: 'ann', mode: 'observe', decision: 'deny' });
    const second = { sighting_of: 'm.1', approval: 'granted', approved_by: 'ann', approved_in: 'model_answer' };
    const neverMade = recordedCall({ type, id: 'm.2' });
    expect(report(first, neverMade, recordedCall(second))).toMatchObject({
      calls: { total: 1, asked: { granted: 1 } },
      calls_from_answers: 1,
      model_calls: { total: 1, observed: 0, asked: { granted: 0 } },
      approvals: { granted: 1, answered_by: [{ by: 'ann', count: 1 }] },
      sessions: [{ calls: 1, model_calls: 1 }],
      servers: [{ server_id: 'files', calls: { total: 1 }, model_calls: { total: 1 } }],
      events: 3,
    });
    // Of what lies before the time that is asked for, nothing is known.
    expect(report(recordedCall(second))).toMatchObject({ calls: { total: 1 }, calls_from_answers: 0, model_calls: { total: 0 } });
  });

  it('that a hook was asked about as well are one call each', () => {
    const first = recordedCall({ type, id: 'm.1', server_id: 'native' });
    const atHook = recordedCall({ type, id: 'h.1', server_id: 'native', sighting_of: 'm.1', dialect: 'hook/claude-code' });
    expect(report(first, atHook)).toMatchObject({ calls: { total: 0 }, calls_from_answers: 0, model_calls: { total: 1 } });
    expect(report(first, recordedCall({ type, id: 'h.1', sighting_of: 'm.1', action: 'block', decision: 'deny' }))).toMatchObject(
      {
        model_calls: { total: 1, denied: 1 },
      },
    );
    const atServer = recordedCall({ id: 's.1', sighting_of: 'm.1' });
    expect(report(first, atHook, atServer)).toMatchObject({
      calls: { total: 1 },
      calls_from_answers: 1,
      model_calls: { total: 0 },
    });
    // Another one by the same id is another call.
    const other = recordedCall({ type, id: 'h.2', dialect: 'hook/claude-code' });
    expect(report(first, atHook, other)).toMatchObject({ model_calls: { total: 2 } });
  });

  it('that are denied are groups of their own', () => {
    const { denials } = report(denied({ rule: 'no-rm' }), denied({ type, rule: 'no-rm' }), denied({ type, rule: 'no-rm' }));
    expect(denials).toMatchObject([
      { by_model: true, count: 2 },
      { by_model: false, count: 1 },
    ]);
  });
});

describe('denials', () => {
  it('are grouped by reason and rule, with examples, those that were enforced first', () => {
    const { denials, rate_limits_hit } = report(
      recordedCall({ decision: 'deny', mode: 'observe', rule: 'no-rm' }),
      recordedCall({ decision: 'deny', mode: 'observe', rule: 'no-rm' }),
      recordedCall({ decision: 'deny', mode: 'observe', rule: 'no-rm' }),
      ...['a', 'b', 'b', 'c', 'd'].map((tool) => denied({ rule: 'no-rm', tool_name: tool, id: `id-${tool}` })),
      denied({ reason: 'rate_limit', rule: undefined }),
      denied({ reason: 'flow', rule: undefined, flow: 'read_then_send burst' }),
    );
    expect(denials.map(({ reason, rule, enforced, count }) => [reason, rule, enforced, count])).toEqual([
      ['rule', 'no-rm', true, 5],
      ['rate_limit', null, true, 1],
      ['flow', 'read_then_send', true, 1],
      ['rule', 'no-rm', false, 3],
    ]);
    expect(denials[0]?.examples.map(({ subject, call_id }) => [subject, call_id])).toEqual([
      ['a', 'id-a'],
      ['b', 'id-b'],
      ['c', 'id-c'],
    ]);
    expect(rate_limits_hit).toEqual([{ server_id: 'files', count: 1 }]);
  });

  it('hazard 52: of those that are not listed, the number is', () => {
    const bodies = Array.from({ length: LISTED + 20 }, (_, i) => denied({ rule: `rule ${i}` }));
    const { denials, denials_left_off } = report(...bodies, ...bodies.slice(-1));
    expect([denials.length, denials_left_off, denials[0]?.rule]).toEqual([LISTED, 20, `rule ${LISTED + 19}`]);
  });
});

describe('flows', () => {
  it('come with their chain of calls, the gravest first, and the same one is told once', () => {
    const value = { evidence: 'a text', evidence_encoding: 'plain', evidence_source: 'past' };
    const { flows, flows_total, findings_by_severity, calls } = report(
      recordedFlow({ action: 'alert', rule: 'burst', severity: 'high' }),
      recordedFlow({ action: 'alert' }),
      recordedFlow({ timestamp: '2026-03-01T12:01:00.000Z', call_id: 'later', ...value }),
      recordedFlow({ timestamp: '2026-03-01T12:02:00.000Z', call_id: 'latest', ...value }),
      recordedFlow({ call_id: 'other', related_calls: [{ server_id: 'notes', tool_name: 'get' }] }),
    );
    expect(flows.map(({ action, severity, rule, count, call_id }) => [action, severity, rule, count, call_id])).toEqual([
      ['block', 'critical', 'read_then_send', 2, 'latest'],
      ['block', 'critical', 'read_then_send', 1, 'other'],
      ['alert', 'high', 'burst', 1, 'now'],
    ]);
    expect(flows[0]).toMatchObject({
      server_id: 'mail',
      tool_name: 'send',
      reason: 'it would send what it read',
      evidence: 'a text',
      related_calls: [{ server_id: 'files', tool_name: 'read_file', timestamp: '2026-03-01T11:59:57.000Z', category: 'read' }],
    });
    expect(flows[1]?.related_calls).toEqual([
      { timestamp: null, server_id: 'notes', tool_name: 'get', call_id: '', category: '' },
    ]);
    // Two of the findings are in one call.
    expect(flows[2]?.other_rules).toEqual(['read_then_send']);
    expect([flows_total, calls.total, findings_by_severity]).toEqual([4, 0, { low: 0, medium: 0, high: 1, critical: 4 }]);
  });
});

describe('changes, findings and messages', () => {
  it('a change that is told again and again is one', () => {
    const change = { type: 'mcp_tool_changed', kind: 'tool', action: 'alert', previous_hash: 'sha256:a', new_hash: 'sha256:b' };
    const { changes } = report(
      recordedCall({ ...change, changes: [{ field: 'title' }] }),
      recordedCall({
        ...change,
        action: 'block',
        timestamp: '2026-03-01T12:01:00.000Z',
        changes: [{ field: 'description' }, 'x'],
      }),
      recordedCall({ ...change, type: 'mcp_server_changed', tool_name: undefined, timestamp: '2026-03-01T12:00:30.000Z' }),
    );
    expect(changes).toMatchObject([
      { type: 'mcp_tool_changed', kind: 'tool', name: 'read_file', count: 2, action: 'block', fields: ['description'] },
      { type: 'mcp_server_changed', kind: 'server', name: '', count: 1 },
    ]);
  });

  it('counts detections as they come, the worst first', () => {
    const detection = { type: 'mcp_detection', action: 'alert' };
    const found = report(
      recordedCall({ ...detection, severity: 'high', detection: { pattern: 'exfiltration', severity: 'high' } }),
      recordedCall({ ...detection, severity: 'high', detection: { pattern: 'exfiltration', severity: 'high' } }),
      recordedCall({ ...detection, detection: { pattern: 'credential_theft', severity: 'critical' } }),
      recordedCall({
        ...detection,
        suppressed: 'known',
        severity: 'high',
        detection: { pattern: 'exfiltration', severity: 'high' },
      }),
    );
    expect(found.detections_suppressed).toBe(1);
    expect(found.detections_by_severity).toEqual({ low: 0, medium: 0, high: 2, critical: 1 });
    expect(found.findings_by_severity).toEqual(found.detections_by_severity);
    expect(found.top_detections).toEqual([
      { server_id: 'files', tool_name: 'read_file', pattern: 'credential_theft', severity: 'critical', count: 1 },
      { server_id: 'files', tool_name: 'read_file', pattern: 'exfiltration', severity: 'high', count: 2 },
    ]);
  });

  it('adds up requests to models, of which no server knows', () => {
    const counted = { type: 'llm_requests_counted', server_id: '', tool_name: undefined, action: undefined };
    const found = report(
      recordedCall({ ...counted, requests_checked: 3, requests_refused: 1, requests_unchecked: 0 }),
      recordedCall({ ...counted, requests_checked: 1, requests_refused: 'x' }),
    );
    expect(found.model_requests).toEqual({ checked: 4, refused: 1, unchecked: 0 });
    expect([found.servers, found.servers_connected, found.sessions[0]?.servers]).toEqual([[], 0, 0]);
  });

  it('hazard 52: says what was not looked at, and why', () => {
    const ended = { type: 'mcp_connection_ended', tool_name: undefined, action: undefined };
    const { not_inspected, refused_messages } = report(
      recordedCall({ skipped: [{ what: 'input', why: 'too_long' }], inspectors: ['policy', 'flow'] }),
      recordedCall({ inspectors: ['policy', 'flow'], turn_id: 't' }),
      recordedCall({ inspectors: [5] }),
      recordedCall({ skipped: [{ what: 'input', why: 'too_long' }, 'x', { what: 5 }] }),
      recordedCall({ type: 'mcp_message_refused', from: 'server', reason: 'two ids', skipped: [] }),
      recordedCall({ ...ended, messages_passed: 3, answers_unasked: 1, results_read: 4 }),
      recordedCall({ ...ended, messages_passed: 4, answers_unasked: '9', results_cut: -1 }),
    );
    expect(not_inspected).toEqual({
      skipped: [
        { what: 'input', why: 'too_long', count: 2 },
        { what: '', why: '', count: 1 },
      ],
      messages_passed: 7,
      messages_refused: null,
      answers_unasked: 1,
      results_read: 4,
      results_cut: null,
      results_not_read: null,
      calls_without_turn: 1,
      inspected_by: [
        { inspector: 'policy', count: 3 },
        { inspector: 'flow', count: 2 },
      ],
      servers_not_ended: [],
    });
    expect(refused_messages).toEqual([{ from: 'server', server_id: 'files', reason: 'two ids', count: 1 }]);
  });

  it('says which policies decided, and that they changed', () => {
    const changed = { type: 'mcp_policy_changed', tool_name: undefined, action: undefined };
    const { policies } = report(
      recordedCall({ policy_hash: 'aa' }),
      recordedCall({ policy_hash: 'bb' }),
      recordedCall({ policy_hash: 'bb' }),
      recordedCall({ ...changed, status: 'broken' }),
    );
    expect(policies).toEqual({ hashes: ['bb', 'aa'], changes: [{ status: 'broken', count: 1 }] });
  });
});

describe('sessions', () => {
  it('have a line each, the newest first', () => {
    const { sessions, started, ended, duration_ms } = report(
      recordedCall(),
      denied({ timestamp: '2026-03-01T12:00:05.000Z', server_id: 'mail' }),
      recordedFlow({ session_id: 's-2', timestamp: '2026-03-01T12:00:09.000Z' }),
    );
    const noModel = { model_calls: 0, model_denied: 0 };
    const [noon, later, last] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:00:05.000Z', '2026-03-01T12:00:09.000Z'];
    expect(sessions).toEqual([
      { session_id: 's-2', started: last, ended: last, servers: 1, calls: 0, denied: 0, ...noModel, flows: 1 },
      { session_id: 'session-a', started: noon, ended: later, servers: 2, calls: 2, denied: 1, ...noModel, flows: 0 },
    ]);
    expect([started, ended, duration_ms]).toEqual([noon, last, 9000]);
  });

  it('of very many, the newest are told apart', () => {
    const bodies = Array.from({ length: 1500 }, (_, i) => recordedCall({ session_id: `s-${i}`, timestamp: isoAt(i) }));
    const { sessions, sessions_left_off } = report(...bodies);
    expect([sessions[0]?.session_id, sessions.length + sessions_left_off]).toEqual(['s-1499', 1500]);
  });
});

function isoAt(second: number): string {
  return new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();
}

describe('what can be in a store', () => {
  const nothing: StoredEvent = { ...stored(denied()), body: null };

  it('a body that was erased counts by what the event is listed under', () => {
    const { events_erased, calls, denials, servers } = summarise([nothing], SCOPE);
    expect([events_erased, calls.total, calls.denied]).toEqual([1, 1, 1]);
    expect(denials).toMatchObject([{ reason: '', rule: null, count: 1, examples: [{ subject: 'read_file' }] }]);
    expect(servers).toMatchObject([{ server_id: 'files', busiest_tools: [{ tool_name: 'read_file', calls: 1, denied: 1 }] }]);
  });

  it.each(['{', '[]', '5', 'null', '{"related_calls":{},"skipped":5,"changes":[null],"detection":[]}'])(
    'the body %s stops nothing',
    (body) => {
      for (const type of ['mcp_cross_server_blocked', 'mcp_tool_changed', 'mcp_detection', 'mcp_connection_ended', 'x', '']) {
        const event = { ...nothing, type, body, time: Number.MAX_SAFE_INTEGER };
        expect(summarise([event], SCOPE)).toMatchObject({ events: 1, events_unreadable: body.startsWith('{"') ? 0 : 1 });
        expect(toReportEvent(event).timestamp).toBe('');
      }
    },
  );

  it('a time that is none is no time', () => {
    const event = { ...nothing, time: Number.MAX_SAFE_INTEGER };
    expect(summarise([event], SCOPE)).toMatchObject({ started: null, ended: null, duration_ms: 0 });
  });

  it('names that peers make up do not fill the memory: what is told apart is bounded, and the rest is counted', () => {
    function* flood(): Generator<StoredEvent> {
      for (let i = 0; i < 20_000; i++) {
        yield stored(denied({ tool_name: `tool ${i}`, rule: `rule ${i}`, reason: `reason ${i}` }));
        yield stored(recordedFlow({ tool_name: `tool ${i}` }));
      }
    }
    const flooded = summarise(flood(), SCOPE);
    expect(flooded).toMatchObject({ denials_left_off: 20_000 - LISTED, flows_total: 20_000, flows_left_off: 20_000 - LISTED });
    expect(flooded.calls.total).toBe(20_000);
    expect(flooded.servers.map((server) => server.tools_seen)).toEqual([1000, 1000]);
    expect(JSON.stringify(flooded).length).toBeLessThan(100_000);
  });
});
