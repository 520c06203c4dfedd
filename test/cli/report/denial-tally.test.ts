import { describe, expect, it } from 'vitest';
import { ModelCallsHeld } from '../../../src/cli/report/denial-tally.ts';
import { toReportEvent, type ReportEvent } from '../../../src/cli/report/report-event.ts';
import { type Body, recordedCall } from '../../support/recorded-store.ts';
import { stored } from '../../support/report-events.ts';

function model(id: string | undefined, more: Body = {}): ReportEvent {
  return toReportEvent(stored(recordedCall({ type: 'mcp_tool_call_intercepted', id, action: 'allow', ...more })));
}

function made(fields: Body): ReportEvent {
  return toReportEvent(stored(recordedCall(fields)));
}

describe('calls of models', () => {
  it('that are seen where they are made count there alone', () => {
    const held = new ModelCallsHeld();
    expect([held.hold(model('m.1')), held.hold(model('m.2'))]).toEqual([undefined, undefined]);
    expect([held.drop(made({ sighting_of: 'm.1' })), held.drop(made({ sighting_of: 'm.1' })), held.drop(made({}))]).toEqual([
      true,
      false,
      false,
    ]);
    expect(held.release()).toMatchObject([{ fields: { id: 'm.2' } }]);
    expect(held.release()).toEqual([]);
  });

  it.each([
    ['were denied', model('m.1', { action: 'block' })],
    ['have no id', model(undefined)],
    ['were seen where they are made', made({ id: 'c.1' })],
  ])('that %s count at once', (_what, event) => {
    const held = new ModelCallsHeld();
    expect([held.hold(event), held.release()]).toEqual([event, []]);
  });

  it('are held so many at most, without what was called', () => {
    const held = new ModelCallsHeld(1);
    held.hold(model('m.1', { input: { text: 'x'.repeat(1000) } }));
    const counted = held.hold(model('m.2'));
    expect(counted?.fields['id']).toBe('m.1');
    expect(counted?.fields).not.toHaveProperty('input');
    expect(held.drop(made({ sighting_of: 'm.1' }))).toBe(false);
  });
});
