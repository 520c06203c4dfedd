import { describe, expect, it } from 'vitest';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import { flowEvent } from '../../src/audit/detection-events.ts';
import type { FlowFinding, PastCall } from '../../src/core/finding.ts';
import type { AuditEvent } from '../../src/gate/ports/ports.ts';
import type { FlowRecord } from '../../src/gate/ports/records.ts';
import { SECRET_SAMPLES } from '../core/dlp/secret-samples.ts';

const TIME = Date.UTC(2026, 0, 2);
const TOKEN = SECRET_SAMPLES[0]?.secret ?? '';

const READ: PastCall = {
  id: 'past',
  time: TIME - 3000,
  server: 'files',
  method: 'tools/call',
  subject: 'read_file',
  categories: ['read', 'write'],
  turn: undefined,
  isForwarded: true,
};

const FINDING: FlowFinding = {
  rule: 'read_then_send',
  severity: 'critical',
  action: 'deny',
  reason: 'it would send after files was read',
  related: [READ],
  evidence: undefined,
};

const RECORD: FlowRecord = {
  time: TIME,
  session: 's',
  call: { method: 'tools/call', server: 'mail', tool: 'send', args: {} },
  record: 'now',
  finding: FINDING,
  action: 'deny',
};

function fieldsOf({ body }: AuditEvent): Record<string, unknown> {
  return JSON.parse(body) as Record<string, unknown>;
}

describe('flowEvent', () => {
  it('says which call it was, what became of it, and which calls it goes with', () => {
    const event = flowEvent(RECORD);
    expect(fieldsOf(event)).toEqual({
      type: 'mcp_cross_server_blocked',
      timestamp: '2026-01-02T00:00:00.000Z',
      session_id: 's',
      rule: 'read_then_send',
      severity: 'critical',
      server_id: 'mail',
      tool_name: 'send',
      blocked_server_id: 'mail',
      blocked_tool_name: 'send',
      method: 'tools/call',
      call_id: 'now',
      action: 'block',
      reason: 'it would send after files was read',
      related_calls: [
        {
          timestamp: '2026-01-01T23:59:57.000Z',
          server_id: 'files',
          tool_name: 'read_file',
          call_id: 'past',
          action: 'allow',
          category: 'read write',
        },
      ],
      inspectors: ['flow'],
      skipped: [],
    });
  });

  it('names the value that flows without showing it', () => {
    const evidence = { source: 'past', encoding: 'base64', description: 'a text of 40 characters' };
    expect(fieldsOf(flowEvent({ ...RECORD, finding: { ...FINDING, evidence } }))).toMatchObject({
      evidence: 'a text of 40 characters',
      evidence_encoding: 'base64',
      evidence_source: 'past',
    });
  });

  it('names the place of the value and what spoke for it, and nothing that is for the person alone', () => {
    const evidence = { source: 'past', encoding: 'plain', description: 'an account number' };
    const placed = { ...evidence, place: `${TOKEN}.iban`, signs: ['request', 'recipient'] as const };
    const { body } = flowEvent({ ...RECORD, finding: { ...FINDING, evidence: placed, question: 'it begins with DE89' } });
    expect(JSON.parse(body)).toMatchObject({
      evidence_place: expect.stringContaining('[redacted:') as string,
      evidence_signs: 'request recipient',
    });
    expect(body).not.toContain('DE89');
    expect(body).not.toContain(TOKEN);
    expect(fieldsOf(flowEvent({ ...RECORD, finding: { ...FINDING, evidence } }))).not.toHaveProperty('evidence_signs');
  });

  it('is stored under what its body says', () => {
    for (const action of ['deny', 'prompt', 'alert'] as const) {
      const { type, time, session, server, tool, action: stored, severity, body } = flowEvent({ ...RECORD, action });
      const columns = { type, time, session, server, tool: tool ?? null, action: stored ?? null, severity: severity ?? null };
      expect(findDifferingColumns(columns, body)).toEqual([]);
    }
  });

  it('a resource stands where a tool would, with no tool', () => {
    const event = flowEvent({ ...RECORD, call: { method: 'resources/read', server: 'mail', resource: 'mail://inbox' } });
    expect(event.tool).toBeUndefined();
    expect(fieldsOf(event)).toMatchObject({ resource_uri: 'mail://inbox', method: 'resources/read' });
    expect(fieldsOf(event)).not.toHaveProperty('blocked_tool_name');
  });

  it('hazard 51: no secret gets in by a name, nor by what was found', () => {
    const call = { ...RECORD.call, server: TOKEN, tool: TOKEN };
    const finding = { ...FINDING, reason: `it follows ${TOKEN}`, related: [{ ...READ, server: TOKEN, subject: TOKEN }] };
    expect(flowEvent({ ...RECORD, call, finding }).body).not.toContain(TOKEN);
  });
});
