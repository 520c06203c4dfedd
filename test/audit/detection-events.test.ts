import { describe, expect, it } from 'vitest';
import { detectionEvent } from '../../src/audit/detection-events.ts';
import { findDifferingColumns } from '../../src/audit/event-columns.ts';
import type { DetectionRecord } from '../../src/gate/ports/records.ts';

const RECORD: DetectionRecord = {
  time: 1_700_000_000_000,
  session: 's',
  server: 'files',
  origin: 'definition',
  subject: { kind: 'tool', name: 'add' },
  fingerprint: 'sha256:1',
  detection: {
    rule: 'credential_theft.ssh',
    family: 'credential_theft',
    severity: 'critical',
    description: 'Reads keys',
    field: 'description',
    matches: [{ text: '~/.ssh/id_rsa', position: 156, context: 'first copy ~/.ssh/id_rsa to', decoded: 'base64' }],
  },
  action: 'deny',
};

const bodyOf = (record: DetectionRecord): Record<string, unknown> =>
  JSON.parse(detectionEvent(record).body) as Record<string, unknown>;

describe('detectionEvent', () => {
  it('is in the words of the event format', () => {
    expect(bodyOf(RECORD)).toEqual({
      type: 'mcp_detection',
      timestamp: '2023-11-14T22:13:20.000Z',
      session_id: 's',
      server_id: 'files',
      kind: 'tool',
      tool_name: 'add',
      tool_hash: 'sha256:1',
      origin: 'definition',
      action: 'block',
      severity: 'critical',
      detection: {
        pattern: 'credential_theft.ssh',
        category: 'credential_theft',
        severity: 'critical',
        description: 'Reads keys',
        matches: [{ text: '~/.ssh/id_rsa', position: 156, context: 'first copy ~/.ssh/id_rsa to', decoded: 'base64' }],
        field: 'description',
      },
      inspectors: ['detection'],
      skipped: [],
    });
  });

  it.each([['alert'], ['hide'], ['redact'], ['prompt'], ['allow'], ['deny']] as const)('%s: is listed as it says', (action) => {
    const event = detectionEvent({ ...RECORD, action });
    const { time, type, session, server, tool = null, severity = null } = event;
    const columns = { time, type, session, server, tool, action: event.action ?? null, severity };
    expect(findDifferingColumns(columns, event.body)).toEqual([]);
    expect(event.action).toBe(action === 'deny' ? 'block' : action);
  });

  it.each([
    [
      { kind: 'prompt', name: 'p' },
      { kind: 'prompt', prompt_name: 'p' },
    ],
    [
      { kind: 'resource', name: 'doc://a' },
      { kind: 'resource', resource_uri: 'doc://a' },
    ],
    [{ kind: 'instructions', name: '' }, { kind: 'instructions' }],
  ] as const)('%j', (subject, expected) => {
    expect(bodyOf({ ...RECORD, subject })).toMatchObject(expected);
    expect(detectionEvent({ ...RECORD, subject }).tool).toBeUndefined();
  });

  it('of a message: its method, and the call that it answers', () => {
    const record = {
      ...RECORD,
      subject: undefined,
      origin: 'result',
      method: 'tools/call',
      call: 'r.1',
      suppressed: 'ours',
    } as const;
    expect(bodyOf(record)).toMatchObject({ origin: 'result', method: 'tools/call', call_id: 'r.1', suppressed: 'ours' });
  });

  it('secrets in what was found are not kept', () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
    const matches = [{ text: secret, position: 0, context: `token ${secret} here` }];
    expect(detectionEvent({ ...RECORD, detection: { ...RECORD.detection, matches } }).body).not.toContain(secret);
  });
});
