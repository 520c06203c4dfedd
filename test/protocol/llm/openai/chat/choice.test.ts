import { describe, expect, it } from 'vitest';
import type { NameVerdict } from '../../../../../src/protocol/llm/dialect.ts';
import { Choice } from '../../../../../src/protocol/llm/openai/chat/choice.ts';
import { part } from '../../../../support/chat-chunks.ts';

function taking(mode: NameVerdict = 'hold'): {
  readonly choice: Choice;
  readonly take: (parts: readonly object[], more?: object) => unknown;
} {
  const choice = new Choice(0, { left: 1 << 20 });
  const take = (parts: readonly object[], more: object = {}) =>
    choice.take(
      {
        index: 0,
        value: {},
        delta: {},
        toolCalls: parts as Record<string, unknown>[],
        functionCall: undefined,
        finish: undefined,
        ...more,
      },
      { answer: 'c1', nameVerdict: () => mode },
    );
  return { choice, take };
}

describe('a choice', () => {
  it('has calls until they are closed, then in the order of their indices', () => {
    const { choice, take } = taking();
    expect(take([part(2, { id: 'a', name: 'x' }), part(0, { id: 'b', name: 'y' })])).toEqual({
      parts: ['held', 'held'],
      isLegacyHeld: false,
    });
    take([part(2, { args: '{}' })]);
    expect([choice.openCalls.map(({ id }) => id), choice.isHolding, choice.callAt(2)?.complete().args]).toEqual([
      ['a', 'b'],
      true,
      '{}',
    ]);
    expect(choice.closeCalls().map(({ id }) => id)).toEqual(['b', 'a']);
    expect([choice.openCalls, choice.isHolding, choice.callAt(2)]).toEqual([[], false, undefined]);
  });

  it('gives parts that go on live the places in which they come', () => {
    const { choice, take } = taking('allow');
    expect(take([part(5, { id: 'a', name: 'x' }), part(1, { id: 'b', name: 'y' }), part(5, { args: '{' })])).toMatchObject({
      parts: [0, 1, 0],
    });
    expect([choice.isHolding, choice.takeOut()]).toEqual([false, 2]);
  });

  it('holds a call whose name comes late', () => {
    const { choice, take } = taking('allow');
    expect(take([part(0, { id: 'a', args: '{' }), part(0, { name: 'x', args: '}' })])).toMatchObject({ parts: ['held', 'held'] });
    expect([choice.openCalls[0]?.mode, choice.openCalls[0]?.complete().args]).toEqual(['hold', '{}']);
  });

  it('drops parts of calls that have been closed, and begins others in their places', () => {
    const { choice, take } = taking();
    take([part(0, { id: 'a', name: 'x' })]);
    choice.closeCalls();
    take([part(0, { args: 'more' }), part(1, { args: 'x' })]);
    expect(choice.openCalls).toHaveLength(1);
    take([part(0, { name: 'y' })]);
    expect(choice.openCalls.map(({ name }) => name)).toEqual(['', 'y']);
  });

  it('tells calls without indices apart by their ids', () => {
    const { choice, take } = taking();
    const bare = (id: string | undefined, name?: string) => ({
      ...(id === undefined ? {} : { id }),
      function: { name, arguments: 'x' },
    });
    take([bare(undefined, 'x'), bare('a'), bare('a'), bare(undefined), bare('b', 'y'), bare(undefined)]);
    expect(choice.openCalls.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ]);
    expect(choice.openCalls.map((call) => call.complete().args)).toEqual(['xxxx', 'xx']);
  });

  it('has a call of before beside the others', () => {
    const { choice, take } = taking('allow');
    expect(take([part(0, { id: 'a', name: 'x' })], { functionCall: { name: 'old' } })).toEqual({
      parts: [0],
      isLegacyHeld: false,
    });
    expect(choice.takeOut()).toBe(1);
    expect(choice.openCalls.map(({ isLegacy }) => isLegacy)).toEqual([false, true]);
  });

  it('knows whether something was said, and whether anything is left to run', () => {
    const { choice, take } = taking();
    take([], { delta: { content: '' } });
    expect([choice.hasText, choice.isNothingLeft]).toEqual([false, false]);
    take([], { delta: { content: 'x' } });
    choice.tally(false);
    expect([choice.hasText, choice.isNothingLeft]).toEqual([true, true]);
    choice.tally(true);
    expect(choice.isNothingLeft).toBe(false);
  });
});
