import { describe, expect, it } from 'vitest';
import { chooseSeenCall, MATCH_WINDOW } from '../../../src/gate/model/call-links.ts';
import type { StoredCall } from '../../../src/gate/ports/seen-call-port.ts';

const NOW = 1_700_000_000_000;

function seen(n: number, more: Partial<StoredCall> = {}): StoredCall {
  return {
    session: 's',
    n,
    record: `r.${n}`,
    time: NOW - 1000,
    toolUseId: `t${n}`,
    isDenied: false,
    granted: undefined,
    ...more,
  };
}

function chosen(seenCalls: readonly StoredCall[], toolUseId?: string, now = NOW): number | undefined {
  return chooseSeenCall(seenCalls, { toolUseId, now })?.n;
}

describe('a call whose client names it', () => {
  it('is the one of that name', () => {
    expect(chosen([seen(1), seen(2)], 't2')).toBe(2);
  });

  it.each(['t9', ''])('is none of another name: %j', (id) => {
    expect(chosen([seen(1), seen(2, { toolUseId: '' })], id)).toBeUndefined();
  });

  it('is one that was denied where no other has that name', () => {
    const denied = seen(1, { isDenied: true, toolUseId: 'call_0' });
    expect(chosen([denied, seen(2)], 'call_0')).toBe(1);
    expect(chosen([denied, seen(2, { toolUseId: 'call_0' })], 'call_0')).toBe(2);
  });
});

describe('a call whose client names none', () => {
  it('is the oldest that the agent got', () => {
    expect(chosen([seen(1, { isDenied: true }), seen(2), seen(3)])).toBe(2);
  });

  it('is none that was denied: others may call the same', () => {
    expect(chosen([seen(1, { isDenied: true })])).toBeUndefined();
  });
});

describe('what is too long ago', () => {
  it.each([
    ['without a name', undefined, MATCH_WINDOW.byArguments],
    ['with its name', 't1', MATCH_WINDOW.byId],
  ])('is not the call, %s', (_how, id, most) => {
    expect(chosen([seen(1, { time: NOW })], id, NOW + most)).toBe(1);
    expect(chosen([seen(1, { time: NOW })], id, NOW + most + 1)).toBeUndefined();
    // The clock was set back meanwhile.
    expect(chosen([seen(1, { time: NOW })], id, NOW - most - 1)).toBeUndefined();
  });
});
