import { describe, expect, it } from 'vitest';
import { formatSessionSummary, readSessionSummary } from '../../../src/cli/report/session-summary.ts';
import { useSandbox } from '../../support/attempt.ts';
import { recordedCall, RecordedStore } from '../../support/recorded-store.ts';

const sandbox = useSandbox();

const NOTHING = { calls: 0, denied: 0, fromAnswers: 0, modelCalls: 0, modelDenied: 0, findings: 0, secrets: 0 };

describe('readSessionSummary', () => {
  it('counts calls, those that were denied and findings, of the session since then', () => {
    const file = sandbox.current.path('clawai.db');
    const store = new RecordedStore(file);
    const at = (second: number, fields: Record<string, unknown>): void => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
      store.add(recordedCall({ session_id: 'run-1', timestamp, ...fields }));
    };
    at(1, { action: 'block' });
    at(10, { action: 'allow' });
    at(11, { action: 'allow', type: 'mcp_resource_read' });
    at(12, { action: 'block' });
    at(13, { action: 'block', session_id: 'run-2' });
    at(13, { action: 'block', type: 'mcp_tool_call_intercepted' });
    at(13, { action: 'allow', type: 'mcp_tool_call_intercepted' });
    at(14, { action: 'alert', type: 'mcp_cross_server_blocked' });
    at(15, { action: 'block', type: 'mcp_message_refused' });
    store.close();
    const since = Date.UTC(2026, 0, 1, 0, 0, 10);
    expect(readSessionSummary(file, { session: 'run-1', since })).toEqual({
      calls: 3,
      denied: 1,
      fromAnswers: 0,
      modelCalls: 2,
      modelDenied: 1,
      findings: 1,
      secrets: 0,
    });
    expect(readSessionSummary(file, { session: 'run-3', since })).toEqual(NOTHING);
  });

  it('counts a call once that was seen in an answer of the model and then where it was made', () => {
    const file = sandbox.current.path('clawai.db');
    const store = new RecordedStore(file);
    const model = { session_id: 'run-1', type: 'mcp_tool_call_intercepted' };
    for (const id of ['m.1', 'm.2', 'm.3']) store.add(recordedCall({ ...model, id, action: id === 'm.3' ? 'block' : 'allow' }));
    store.add(recordedCall({ session_id: 'run-1', id: 'c.1', sighting_of: 'm.1' }));
    // Nobody but who has edited the store takes one twice.
    store.add(recordedCall({ session_id: 'run-1', id: 'c.2', sighting_of: 'm.1' }));
    store.add(recordedCall({ session_id: 'run-1', id: 'c.3', sighting_of: 'of another time' }));
    store.close();
    expect(readSessionSummary(file, { session: 'run-1', since: 0 })).toMatchObject({
      calls: 3,
      fromAnswers: 1,
      modelCalls: 2,
      modelDenied: 1,
    });
  });

  it('counts a call once that was seen in an answer of the model, then by a hook, and then where it was made', () => {
    const file = sandbox.current.path('clawai.db');
    const store = new RecordedStore(file);
    const model = { session_id: 'run-1', type: 'mcp_tool_call_intercepted' };
    for (const id of ['m.1', 'm.2']) store.add(recordedCall({ ...model, id }));
    for (const n of [1, 2]) store.add(recordedCall({ ...model, id: `h.${n}`, sighting_of: `m.${n}`, dialect: 'hook/codex' }));
    store.add(recordedCall({ session_id: 'run-1', id: 'c.1', sighting_of: 'm.1' }));
    store.close();
    const summary = readSessionSummary(file, { session: 'run-1', since: 0 });
    expect(summary).toMatchObject({ calls: 1, fromAnswers: 1, modelCalls: 1, modelDenied: 0 });
  });

  it('is nothing where there is no store, and fails where it is none', () => {
    const { current } = sandbox;
    const asked = { session: 'run-1', since: 0 };
    expect(readSessionSummary(current.path('none'), asked)).toEqual(NOTHING);
    expect(() => readSessionSummary(current.write('clawai.db', 'x'.repeat(5000)), asked)).toThrow(/clawai\.db/);
  });
});

describe('formatSessionSummary', () => {
  it.each([
    [{ calls: 1, denied: 0, findings: 1, secrets: 0 }, '1 call, 0 denied, 1 flow finding'],
    [{ calls: 12, denied: 2, findings: 0, secrets: 0 }, '12 calls, 2 denied, 0 flow findings'],
    [{ modelCalls: 1, modelDenied: 1 }, '1 call by the model, 1 denied'],
    [{ modelCalls: 3, calls: 1 }, '3 calls by the model, 0 denied; 1 call, 0 denied, 0 flow findings'],
    [
      { modelCalls: 3, calls: 2, fromAnswers: 1 },
      '3 calls by the model that came to no server, 0 denied; 2 calls, 0 denied, 0 flow findings',
    ],
    [{ modelCalls: 3, findings: 1, secrets: 0 }, '3 calls by the model, 0 denied; 0 calls, 0 denied, 1 flow finding'],
  ])('%j', (summary, text) => {
    expect(formatSessionSummary('x', { ...NOTHING, ...summary })).toBe(`session x: ${text}; see clawai report x`);
  });

  it('says nothing of nothing', () => {
    expect(formatSessionSummary('x', NOTHING)).toBeUndefined();
  });
});
