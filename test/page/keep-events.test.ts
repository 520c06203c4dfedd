import { describe, expect, it } from 'vitest';
import { addEvents, isAskedFor, MOST_KEPT } from '../../src/page/keep-events.ts';
import type { WireEvent } from '../../src/page/wire.ts';

function event(seq: number, more: Partial<WireEvent> = {}): WireEvent {
  return { seq, time: seq, type: 'mcp_tool_called', session: 's-1', server: 'files', subject: 'read_file', ...more };
}

describe('the events that a page keeps', () => {
  it('are the newest, each once, however many come', () => {
    let kept: readonly WireEvent[] = [];
    for (let seq = 1; seq <= 3 * MOST_KEPT; seq += 50) {
      const batch = Array.from({ length: 60 }, (_, at) => event(seq + at));
      kept = addEvents(kept, batch);
      expect(addEvents(kept, batch)).toBe(kept);
    }
    expect(kept).toHaveLength(MOST_KEPT);
    const seqs = kept.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    expect(new Set(seqs).size).toBe(MOST_KEPT);
  });
});

describe('a filter', () => {
  it.each([
    ['', 'all', true],
    ['FILES read', 'all', true],
    ['files write', 'all', false],
    ['files -read', 'all', false],
    ['-write', 'allow', true],
    ['', 'block', false],
    ['-', 'all', true],
  ] as const)('%j and %s: %s', (words, action, is) => {
    expect(isAskedFor(event(1, { action: 'allow (deny)' }), { words, action })).toBe(is);
  });
});
