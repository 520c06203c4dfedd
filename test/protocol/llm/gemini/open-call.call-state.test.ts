import { describe, expect, it } from 'vitest';
import { CallState } from '../../../../src/protocol/llm/gemini/open-call.ts';

const CALL = {
  id: '',
  name: 'n"',
  group: undefined,
  args: undefined,
  problem: undefined,
  runBy: 'client',
  server: undefined,
} as const;

describe('a call on its way', () => {
  it.each([
    ['hold', true, true],
    ['hold', false, false],
    ['deny', true, false],
    ['allow', true, true],
  ] as const)('by name %s, verdict %s: %s', (mode, verdict, isAllowed) => {
    const state = new CallState(CALL, mode);
    expect([state.isDecided, state.isAllowed, state.isLive]).toEqual([false, false, mode === 'allow']);
    state.decide(verdict, 'why');
    expect([state.isDecided, state.isAllowed, state.note, state.name]).toEqual([true, isAllowed, 'why', 'n"']);
  });
});
