import type { Call } from '../call.ts';
import type { Evidence, PastCall } from './window.ts';

/** Names come from peers and go into texts that a model and people read; longer ones are cut. */
const MOST_NAME = 200;

/** What is read as nothing, as a line's end, or in another direction than it is written; surrogates without their other half. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const SECOND = 1000;
const STEPS = [
  { unit: 'min', length: 60 * SECOND },
  { unit: 's', length: SECOND },
] as const;

/** A name in quotes, as JSON text, with nothing in it that can't be seen. */
export function quoteName(name: string): string {
  const text = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
  return JSON.stringify(text).replaceAll(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** What is called: the tool, resource or prompt. */
export function nameOf({ tool, resource, prompt, method }: Call): string {
  return quoteName(tool ?? resource ?? prompt ?? method);
}

/** An earlier call, e.g. `"query_database" of the server "db"`. */
export function nameOfPast({ subject, method, server }: PastCall): string {
  return `${quoteName(subject === '' ? method : subject)} of the server ${quoteName(server)}`;
}

/** How long ago that was, in whole seconds, or minutes from two of them on. */
export function agoOf({ time }: PastCall, now: number): string {
  const age = now - time;
  const step = STEPS.find(({ length }) => age >= (length === SECOND ? length : 2 * length));
  return step === undefined ? 'just now' : `${Math.floor(age / step.length)} ${step.unit} ago`;
}

/** What of a value may be said; empty where its description is. */
export function describeEvidence({ description, encoding }: Pick<Evidence, 'description' | 'encoding'>): string {
  if (description === '') return '';
  return encoding === 'plain' || encoding === '' ? description : `${description}, as ${encoding}`;
}
