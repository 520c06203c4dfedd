import { createHash } from 'node:crypto';
import type { Session } from './session.ts';

/** Hexadecimal digits of a session that is known by what its client was given. */
const DIGITS = 16;

/**
 * The session of all that comes under one word, such as that of the client whose config names the URLs it comes by. It says nothing of the
 * word. When nothing has happened in it for long, it goes on under another name.
 */
export function createNamedSession(word: string): Session {
  const name = `u-${createHash('sha256').update(word).digest('hex').slice(0, DIGITS)}`;
  let current: string | undefined;
  return {
    id: () => current ?? name,
    isGiven: () => false,
    follow(findCurrent) {
      current = findCurrent(name);
    },
  };
}
