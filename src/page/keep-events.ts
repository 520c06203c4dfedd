import type { WireEvent } from './wire.ts';

/** Events that a page keeps, however long it is open; older ones are a request away. */
export const MOST_KEPT = 2000;

/** Adds events to those that a page has, newest first, and leaves out the oldest. What is there already is not added again. */
export function addEvents(kept: readonly WireEvent[], added: readonly WireEvent[]): readonly WireEvent[] {
  const newest = kept[0]?.seq ?? 0;
  const fresh = added.filter(({ seq }) => seq > newest).toReversed();
  return fresh.length === 0 ? kept : [...fresh, ...kept].slice(0, MOST_KEPT);
}

/** A person's choice of events. */
export interface Filter {
  /** Words that an event must contain, all of them. */
  readonly words: string;
  readonly action: 'all' | 'allow' | 'block';
}

/** Tells whether an event is asked for. A word with a minus before it must not be in it. */
export function isAskedFor(event: WireEvent, { words, action }: Filter): boolean {
  if (action !== 'all' && event.action?.startsWith(action) !== true) return false;
  if (words.trim() === '') return true;
  const { server, subject, args, by, reason, session, type, severity, detail } = event;
  const text = [server, subject, args, by, reason, session, type, severity, detail].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => (word.length > 1 && word.startsWith('-') ? !text.includes(word.slice(1)) : text.includes(word)));
}
