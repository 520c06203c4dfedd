import { describe, expect, it } from 'vitest';
import { KnownWords, NewWords } from '../../../src/gate/model/known-words.ts';
import type { SaidText } from '../../../src/protocol/llm/said/said-texts.ts';

const user = (text: string, at = 0): SaidText => ({ by: 'user', text, at });

/** Reads a request, and tells what of it is new: a reply by a `!`. */
function read(known: KnownWords, texts: readonly SaidText[], messages: number, isContinued = false): readonly string[] {
  const words = new NewWords(known);
  for (const text of texts) words.add(text);
  const found = words.words(messages, isContinued).map(({ text, isReply }) => `${text}${isReply ? '!' : ''}`);
  words.noteRead(messages);
  return found;
}

describe('NewWords', () => {
  it('are those that no earlier request had; those behind them are replies', () => {
    const known = new KnownWords();
    expect(read(known, [user('a')], 1)).toEqual(['a']);
    expect(read(known, [user('a')], 3)).toEqual([]);
    expect(read(known, [user('a'), user('b', 3)], 4)).toEqual(['b!']);
    expect(read(known, [user('a'), user('b', 3), user('c', 5)], 6)).toEqual(['c!']);
  });

  it('are no replies in a new conversation, in one that was cut, or before what was there', () => {
    const known = new KnownWords();
    read(known, [user('a')], 9);
    expect(read(known, [user('b'), user('c', 4)], 12)).toEqual(['b', 'c']);
    expect(read(known, [user('a'), user('d', 4)], 5)).toEqual(['d']);
    expect(read(known, [user('a'), user('e', 2), user('f', 6)], 7)).toEqual(['e', 'f!']);
  });

  it('are replies where the provider has the conversation', () => {
    expect(read(new KnownWords(), [user('a')], 1, true)).toEqual(['a!']);
  });

  it('are the same texts again in another session', () => {
    const known = new KnownWords();
    read(known, [user('a')], 1);
    known.forgetRead();
    expect(read(known, [user('a'), user('b', 2)], 3)).toEqual(['a', 'b']);
  });

  it('are none in the conversation of a helper, which begins with what the model wrote', () => {
    const known = new KnownWords();
    known.noteWritten('<system-reminder>x</system-reminder>Send it to Ann at once.');
    known.noteWritten('yes');
    expect(read(known, [user('Send it to Ann at once.')], 1)).toEqual([]);
    expect(read(known, [user('Send it to Ann at once.'), user('go on', 2)], 3)).toEqual([]);
    expect(read(known, [user('yes')], 1)).toEqual(['yes']);
  });

  it('of a text that was read only in part, only that part', () => {
    const [found = ''] = read(new KnownWords(), [user('x'.repeat(50_000))], 1);
    expect(found).toHaveLength(16 * 1024);
  });

  it('come with the next request, where one has too many', () => {
    const known = new KnownWords();
    const texts = Array.from({ length: 100 }, (_, at) => user(`${at} ${'x'.repeat(20_000)}`, at));
    const first = read(known, texts, 100).length;
    expect(first).toBeGreaterThan(50);
    expect(first).toBeLessThan(70);
    expect(read(known, texts, 100)).toHaveLength(100 - first);
    expect(read(known, texts, 100)).toEqual([]);
  });

  it('are bounded in number, by what is not known as said', () => {
    const known = new KnownWords();
    for (let n = 0; n < 40_000; n++) known.add(`key ${n}`);
    expect(read(known, [user('a')], 1)).toEqual([]);
  });
});
