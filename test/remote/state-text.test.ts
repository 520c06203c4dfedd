import { describe, expect, it } from 'vitest';
import { formatRemoteState, parseRemoteState } from '../../src/remote/state-text.ts';

const SECRET = 'abcdefghijklmnopqrst-_';
const STATE = {
  declared: [{ name: 'docs', secret: SECRET }],
  wrapped: [
    {
      name: 'wiki',
      url: 'https://w.example/',
      secret: SECRET,
      group: 'client:cursor',
      file: '/f.json',
      pointer: '/mcpServers/wiki',
    },
  ],
};

describe('the text of the state', () => {
  it('says what was put into it', () => {
    expect(parseRemoteState(formatRemoteState(STATE))).toEqual(STATE);
  });

  it('says which entries were left alone, and what it cannot read of that is no damage', () => {
    const left = { file: '/f.json', pointer: '/mcpServers/a', entry: 'ab', reason: 'login' };
    expect(parseRemoteState(formatRemoteState({ ...STATE, left: [left] }))).toEqual({ ...STATE, left: [left] });
    const odd = [{ ...left, reason: 1 }, null, left];
    expect(parseRemoteState(JSON.stringify({ format: 1, ...STATE, left: odd }))?.left).toEqual([left]);
    expect(parseRemoteState(JSON.stringify({ format: 1, ...STATE, left: 'x' }))).toEqual(STATE);
  });

  const whole = formatRemoteState(STATE);
  it('is damaged wherever it is cut off', () => {
    const ends = Array.from({ length: whole.trimEnd().length }, (_, end) => end);
    expect(ends.filter((end) => parseRemoteState(whole.slice(0, end)) !== undefined)).toEqual([]);
  });

  it.each([
    ['format', 2],
    ['declared', undefined],
    ['declared', [{ name: 'docs', secret: 'short' }]],
    ['declared', [{ name: 1, secret: SECRET }]],
    ['wrapped', {}],
    ['wrapped', [{ ...STATE.wrapped[0], url: 'not a url' }]],
    ['wrapped', [{ ...STATE.wrapped[0], secret: `${SECRET}/` }]],
    ['wrapped', [{ ...STATE.wrapped[0], pointer: undefined }]],
  ])('is damaged with %s %j', (key, value) => {
    expect(parseRemoteState(JSON.stringify({ format: 1, ...STATE, [key]: value }))).toBeUndefined();
  });
});
