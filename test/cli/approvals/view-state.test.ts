import { describe, expect, it } from 'vitest';
import { EMPTY_VIEW, press, SETTLE_MS, type ViewState, withQuestions } from '../../../src/cli/approvals/view-state.ts';
import { question } from '../../support/questions.ts';

const [A, B, C] = [question({ id: 'AAAAAA' }), question({ id: 'BBBBBB' }), question({ id: 'CCCCCC', canRemember: false })];
const LATER = { now: 10_000, page: 5 };

function keys(state: ViewState, ...pressed: readonly string[]): ReturnType<typeof press> {
  let last: ReturnType<typeof press> = { state };
  for (const key of pressed) last = press(last.state, key, LATER);
  return last;
}

const SHOWN = withQuestions(EMPTY_VIEW, [A, B, C], 0);

describe('keys', () => {
  it.each([
    [['y'], { kind: 'answer', id: 'AAAAAA', state: 'granted', remember: 'once' }],
    [['n'], { kind: 'answer', id: 'AAAAAA', state: 'refused', remember: 'once' }],
    [['s'], { kind: 'answer', id: 'AAAAAA', state: 'granted', remember: 'session' }],
    [['a'], { kind: 'prepare', id: 'AAAAAA' }],
    [['j', 'y'], { kind: 'answer', id: 'BBBBBB', state: 'granted', remember: 'once' }],
    [['down', 'down', 'down', 'up', 'n'], { kind: 'answer', id: 'BBBBBB', state: 'refused', remember: 'once' }],
    [['k', 'y'], { kind: 'answer', id: 'AAAAAA', state: 'granted', remember: 'once' }],
    [['q'], { kind: 'quit' }],
    [['escape'], { kind: 'quit' }],
    [['Y'], undefined],
    [['return'], undefined],
    [['space', 'x', 'tab'], undefined],
  ])('%j', (pressed, effect) => {
    expect(keys(SHOWN, ...pressed).effect).toEqual(effect);
  });

  it('hazard 9: what is known by its method alone can not be allowed for the session', () => {
    const { state, effect } = keys(SHOWN, 'j', 'j', 's');
    expect(effect).toBeUndefined();
    expect(state.notice).toContain('only be allowed once');
  });

  it('scroll by pages, never above the top, and anew for another question', () => {
    expect(keys(SHOWN, 'space', 'pagedown', 'b').state.scroll).toBe(5);
    expect(keys(SHOWN, 'pageup').state.scroll).toBe(0);
    expect(keys(SHOWN, 'space', 'home').state.scroll).toBe(0);
    expect(keys(SHOWN, 'space', 'j').state.scroll).toBe(0);
  });

  it('a change of the policy is made only after a further y', () => {
    const asking: ViewState = { ...SHOWN, confirming: { id: 'AAAAAA', diff: '+ x' } };
    expect(keys(asking, 'y').effect).toEqual({ kind: 'apply', id: 'AAAAAA' });
    for (const key of ['n', 'q', 'escape']) {
      expect(keys(asking, key)).toMatchObject({ state: { confirming: undefined } });
      expect(keys(asking, key).effect).toBeUndefined();
    }
    for (const key of ['s', 'a', 'j', 'return']) expect(keys(asking, key)).toEqual({ state: asking });
  });
});

describe('what comes and goes', () => {
  it('a question that came up by itself takes no answer for a moment', () => {
    const early = press(SHOWN, 'y', { now: SETTLE_MS - 1, page: 5 });
    expect(early.effect).toBeUndefined();
    expect(press(SHOWN, 'y', { now: SETTLE_MS, page: 5 }).effect).toBeDefined();
    // A person who chose it has seen it.
    expect(press(press(SHOWN, 'j', { now: 1, page: 5 }).state, 'y', { now: 2, page: 5 }).effect).toMatchObject({ id: 'BBBBBB' });
  });

  it('a key is never about another question than the one that was chosen', () => {
    const chosen = keys(SHOWN, 'j').state;
    const more = withQuestions(chosen, [question({ id: 'NEWNEW' }), A, B, C], 20_000);
    expect(more.selected).toBe('BBBBBB');
    const gone = withQuestions(chosen, [A, C], 20_000);
    expect(gone).toMatchObject({ selected: undefined, notice: 'BBBBBB does not wait any more.' });
    expect(keys(gone, 'y').effect).toBeUndefined();
    expect(keys(withQuestions(gone, [A, C], 21_000), 'y').effect).toBeUndefined();
    expect(keys(gone, 'j', 'y').effect).toMatchObject({ id: 'AAAAAA' });
  });

  it('after an answer the next one comes up, and takes none for a moment', () => {
    const answered = { ...keys(SHOWN, 'j').state, answered: 'BBBBBB', notice: 'BBBBBB: allowed once' };
    const next = withQuestions(answered, [A, C], 20_000);
    expect(next).toMatchObject({ selected: 'CCCCCC', notice: 'BBBBBB: allowed once' });
    expect(press(next, 'y', { now: 20_100, page: 5 }).effect).toBeUndefined();
    expect(press(next, 'y', { now: 21_000, page: 5 }).effect).toMatchObject({ id: 'CCCCCC' });
    expect(withQuestions(answered, [], 20_000).selected).toBeUndefined();
  });

  it('a change that waits for a yes goes with its question', () => {
    const asking: ViewState = { ...SHOWN, confirming: { id: 'AAAAAA', diff: '+ x' } };
    expect(withQuestions(asking, [B], 20_000).confirming).toBeUndefined();
    expect(withQuestions(asking, [A, B], 20_000).confirming).toBeDefined();
  });
});
