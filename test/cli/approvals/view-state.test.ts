import { describe, expect, it } from 'vitest';
import { EMPTY_VIEW, press, SETTLE_MS, type ViewState, withQuestions } from '../../../src/cli/approvals/view-state.ts';
import { question } from '../../support/questions.ts';

const [A, B, C] = [question({ id: 'AAAAAA' }), question({ id: 'BBBBBB' }), question({ id: 'CCCCCC', canRemember: false })];
const LATER = { now: 10_000, page: 5 };

/** Keys of a person who looks at what each of them does. */
function keys(state: ViewState, ...pressed: readonly string[]): ReturnType<typeof press> {
  let last: ReturnType<typeof press> = { state };
  for (const [at, key] of pressed.entries()) last = press(last.state, key, { ...LATER, now: LATER.now + at * SETTLE_MS });
  return last;
}

/** Keys that come at once, as from a paste, and what each of them does. */
function chunk(state: ViewState, now: number, ...pressed: readonly string[]): { state: ViewState; effects: unknown[] } {
  const effects: unknown[] = [];
  let last = state;
  for (const key of pressed) {
    const { state: next, effect } = press(last, key, { now, page: 5 });
    if (effect !== undefined) effects.push(effect);
    last = next;
  }
  return { state: last, effects };
}

const CHANGES = {
  id: 'AAAAAA',
  at: 0,
  choices: [
    { words: 'this exact call', diff: '+ x' },
    { words: 'all', diff: '+ y' },
  ],
} as const;

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
    const asking: ViewState = { ...SHOWN, confirming: CHANGES };
    expect(keys(asking, 'y').effect).toEqual({ kind: 'apply', id: 'AAAAAA', at: 0 });
    expect(keys(asking, '2', 'y').effect).toEqual({ kind: 'apply', id: 'AAAAAA', at: 1 });
    expect(keys(asking, '2').state).toMatchObject({ confirming: { at: 1 }, notice: 'This rule would allow all.' });
    expect(chunk(asking, 10_000, '2', 'y').effects).toEqual([]);
    for (const key of ['n', 'q', 'escape']) {
      expect(keys(asking, key)).toMatchObject({ state: { confirming: undefined } });
      expect(keys(asking, key).effect).toBeUndefined();
    }
    for (const key of ['s', 'a', 'j', 'return', '1', '3', '0']) expect(keys(asking, key)).toEqual({ state: asking });
    expect(keys(asking, 'space').state).toMatchObject({ scroll: 5, confirming: { id: 'AAAAAA' } });
  });
});

describe('what comes and goes', () => {
  it('a question that came up by itself takes no answer for a moment', () => {
    const early = press(SHOWN, 'y', { now: SETTLE_MS - 1, page: 5 });
    expect(early.effect).toBeUndefined();
    expect(press(SHOWN, 'y', { now: SETTLE_MS, page: 5 }).effect).toBeDefined();
  });

  it('no key answers what was not on the screen when it was typed', () => {
    for (const answer of ['y', 'n', 's', 'a']) expect(chunk(SHOWN, 10_000, 'j', answer).effects).toEqual([]);
    const chosen = chunk(SHOWN, 10_000, 'j').state;
    expect(chunk(chosen, 10_000 + SETTLE_MS - 1, 'y')).toMatchObject({ effects: [], state: { selected: 'BBBBBB' } });
    expect(chunk(chosen, 10_000 + SETTLE_MS, 'y').effects).toMatchObject([{ id: 'BBBBBB' }]);
    // There is nothing below the last: it has been there all the time.
    expect(chunk(withQuestions(EMPTY_VIEW, [A], 0), 10_000, 'j', 'y').effects).toMatchObject([{ id: 'AAAAAA' }]);
  });

  it('a change of the policy has to be on the screen for a moment too, and so has what is there after a no to it', () => {
    const asking: ViewState = { ...SHOWN, cameUp: 10_000, confirming: CHANGES };
    expect(chunk(asking, 10_000 + SETTLE_MS - 1, 'y', 'y')).toMatchObject({
      effects: [],
      state: { confirming: { id: 'AAAAAA' } },
    });
    expect(chunk(asking, 10_000 + SETTLE_MS, 'y').effects).toEqual([{ kind: 'apply', id: 'AAAAAA', at: 0 }]);
    expect(chunk(asking, 10_000 + SETTLE_MS, 'n', 'n', 'y').effects).toEqual([]);
  });

  it('rows that come and go between two keys do not change what the second one is about', () => {
    const chosen = chunk(SHOWN, 10_000, 'j').state;
    for (const rows of [
      [question(), A, B, C],
      [B, C],
      [B, question()],
    ]) {
      const moved = withQuestions(chosen, rows, 10_500);
      expect(chunk(moved, 10_000 + SETTLE_MS, 'y').effects).toMatchObject([{ id: 'BBBBBB' }]);
    }
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
    const asking: ViewState = { ...SHOWN, confirming: CHANGES };
    expect(withQuestions(asking, [B], 20_000).confirming).toBeUndefined();
    expect(withQuestions(asking, [A, B], 20_000).confirming).toBeDefined();
  });
});
