import { createHash } from 'node:crypto';
import type { Session } from './session.ts';

/** Hexadecimal digits of a session that is known by what its client was given. */
const DIGITS = 16;

/**
 * The session of all that comes under one word, such as that of the client whose config names the URLs it comes by. It says nothing of the
 * word. When nothing has happened in it for long, it goes on under another name.
 *
 * @param findServers servers whose session it is as soon as they are in one; what was noted by then goes on in that
 */
export function createNamedSession(word: string, findServers: () => readonly string[] = () => []): Session {
  const name = `u-${createHash('sha256').update(word).digest('hex').slice(0, DIGITS)}`;
  let current: string | undefined;
  return {
    id: () => current ?? name,
    isGiven: () => false,
    follow(findCurrent) {
      const next = findCurrent(name, findServers());
      const before = current ?? name;
      current = next;
      return isUnder(name, before) && !isUnder(name, next) ? before : undefined;
    },
  };
}

function isUnder(name: string, session: string): boolean {
  return session === name || session.startsWith(`${name}.`);
}
