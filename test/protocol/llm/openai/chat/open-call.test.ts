import { describe, expect, it } from 'vitest';
import { OpenCall } from '../../../../../src/protocol/llm/openai/chat/open-call.ts';

function open(left = 1 << 20, isLegacy = false): { readonly call: OpenCall; readonly room: { left: number } } {
  const room = { left };
  return { call: new OpenCall({ room, isLegacy, answer: 'c1' }), room };
}

describe('a call that is being made', () => {
  it('has what its parts say: the last of what comes again, and all of the arguments', () => {
    const { call } = open();
    expect(call.isNew).toBe(true);
    call.add({ index: 0, id: 'a', type: 'function', function: { name: 'x', arguments: '{"a"' }, extra: 1 });
    call.add({ index: 0, id: 'b', function: { name: 'y', arguments: ':1', strict: true }, extra: 2 });
    call.add({ index: 0, id: '', type: null, function: { name: null, arguments: null }, custom: null });
    call.addInput('}');
    call.mode = 'hold';
    expect([call.isNew, call.id, call.name, call.isLive, call.isReleasable]).toEqual([false, 'b', 'y', false, true]);
    expect(call.named()).toMatchObject({ id: 'b', name: 'y', args: undefined, answer: 'c1' });
    expect(call.incomplete()).toMatchObject({ problem: 'incomplete', args: undefined });
    expect(call.complete()).toMatchObject({ args: '{"a":1}', problem: undefined });
    expect(JSON.parse(call.format(2))).toEqual({
      index: 2,
      id: 'b',
      type: 'function',
      function: { name: 'y', arguments: '{"a":1}', strict: true },
      extra: 2,
    });
  });

  it.each<[string, readonly object[], string | undefined]>([
    ['has a name beside its function that is the same', [{ name: 'x', function: { name: 'x', arguments: '{}' } }], undefined],
    ['has another name beside it', [{ name: 'y', function: { name: 'x', arguments: '{}' } }], 'unclear'],
    ['had another name beside it', [{ name: 'y', function: { name: 'x' } }, { name: 'x' }], 'unclear'],
    ['has arguments beside it', [{ arguments: '{"a":1}', function: { name: 'x', arguments: '{}' } }], 'unclear'],
    ['has an input beside it', [{ function: { name: 'x' } }, { input: 'a' }], 'unclear'],
    ['has none of them but null', [{ name: null, arguments: null, input: null, function: { name: 'x' } }], undefined],
    ['has no name', [{ function: { arguments: '{}' } }], 'invalid_json'],
  ])('is a problem where readers may differ on it: it %s', (_what, parts, problem) => {
    const { call } = open();
    for (const part of parts) call.add({ index: 0, id: 'a', ...part });
    call.mode = 'hold';
    expect(call.complete().problem).toBe(problem);
    // Where everything passes, it does as well.
    expect(call.isReleasable).toBe(true);
  });

  it('gives back the room that it takes', () => {
    const { call, room } = open();
    call.add({ function: { name: 'x', arguments: 'x'.repeat(1000) } });
    expect(room.left).toBeLessThan((1 << 20) - 1000);
    call.clear();
    expect(room.left).toBe(1 << 20);
  });

  it('is too long where there is no room, and takes none from then on', () => {
    const { call, room } = open(2000);
    const { call: other } = { call: new OpenCall({ room, isLegacy: false, answer: undefined }) };
    for (let at = 0; at < 5; at++) call.addInput('x'.repeat(1000));
    call.mode = 'hold';
    expect([call.isReleasable, call.complete().problem, call.complete().args]).toEqual([false, 'too_long', undefined]);
    other.add({ function: { name: 'x', arguments: '{}' } });
    expect(other.complete()).toMatchObject({ args: '{}', problem: undefined });
  });

  it.each<[string, object, string?]>([
    ['both kinds', { function: { name: 'x', arguments: '' }, custom: { name: 'x', input: '' } }, 'unclear'],
    ['arguments that are no text', { function: { name: 'x', arguments: {} } }],
    ['a name that is no text', { function: { name: 1 } }],
    ['a function that is none', { function: 'x' }],
  ])('can not be let through with %s', (_what, part, problem = 'invalid_json') => {
    const { call } = open();
    call.add(part as Record<string, unknown>);
    call.mode = 'hold';
    expect([call.isReleasable, call.complete().problem]).toEqual([false, problem]);
  });

  it('may be of before: without an id, and told again all the same', () => {
    const { call } = open(1 << 20, true);
    call.add({ name: 'x', arguments: '{' });
    call.add({ arguments: '}' });
    const made = call.complete();
    expect([call.isLegacy, made.id, made.args, made.inHistory?.()]).toEqual([true, '', '{}', '{"name":"x","arguments":"{}"}']);
  });
});
