import type { ValueHasher } from '../values/value-hasher.ts';
import { askedHash, hashOf, seal } from './told-marks.ts';
import { visitSaid } from './told.ts';

/** A text that somebody other than the model and the tools wrote. */
export interface Words {
  readonly text: string;
  /** `system`: by whoever runs the agent; its addresses count, and neither its words nor what it asks for. */
  readonly by: 'user' | 'system';
  /** True if the user has seen the results: the values that they told then count as well. */
  readonly isReply: boolean;
}

/** Tells whether a value came from a result: `before` any word of theirs, or in one that the words repeat. */
export interface ToldBefore {
  readonly before: (hash: number) => boolean;
  readonly inRepeated: (hash: number) => boolean;
}

/** Characters that are read in one step, and characters that overlap with the step before, lest a value lies across. */
const PIECE = 4 * 1024;
const OVERLAP = 256;

/** The pieces of a text that are read one after the other. */
export function piecesOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / PIECE);
  return Array.from({ length: count }, (_, at) => text.slice(Math.max(0, at * PIECE - OVERLAP), (at + 1) * PIECE));
}

/** Reads the values that count as said. @returns sealed marks, to be remembered; of no texts, none */
export function* readWords(
  texts: readonly { readonly words: Words; readonly told: ToldBefore }[],
  hasher: ValueHasher,
): Generator<undefined, Uint8Array> {
  const found = new Map<number, number>();
  let asked: number | undefined;
  for (const { words, told } of texts) {
    const isUser = words.by === 'user';
    for (const piece of piecesOf(words.text)) {
      const actions = visitSaid(piece, (value) => {
        if (!isUser && value.startsWith(' ')) return;
        const hash = hashOf(value, hasher);
        if (!(isUser && words.isReply ? told.inRepeated(hash) : told.before(hash))) found.set(hash, 0);
      });
      if (isUser) asked = (asked ?? 0) | actions;
      yield undefined;
    }
  }
  if (asked !== undefined) found.set(askedHash(hasher), asked);
  return found.size === 0 ? new Uint8Array() : seal(found, hasher);
}
