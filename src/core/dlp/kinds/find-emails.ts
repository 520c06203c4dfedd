import type { FindKind } from './find-kind.ts';

/** RFC 5322 without quotes and comments; in front of a colon stands a user of git (`git@host:path`). */
const DOMAIN = /@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![\w-]|\.\w|:[\w/~]|@)/g;
const LOCAL = /[A-Za-z0-9](?:[\w.!#$%&'*+=?^`{|}~-]{0,62}[\w+-])?$/;

/** Finds e-mail addresses; neither users in URLs, nor git's, nor packages with a scope. */
export const findEmails: FindKind = function* findEmails(text) {
  for (const { 0: domain, index } of text.matchAll(DOMAIN)) {
    const before = text.slice(Math.max(0, index - 64), index);
    const local = LOCAL.exec(before)?.[0];
    if (local === undefined || local.includes('..')) continue;
    const start = index - local.length;
    if (!isUser(text, start) && !/\.(?:invalid|localhost)$/i.test(domain)) yield { start, end: index + domain.length };
  }
};

/** Tells whether this follows `//` or `user:`, as in a URL. */
function isUser(text: string, start: number): boolean {
  return /\/\/(?:[^\s/@"'<>]{0,64}:)?$/.test(text.slice(Math.max(0, start - 70), start));
}
