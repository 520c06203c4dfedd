import type { Call } from '../call.ts';
import type { JsonValue } from '../json.ts';
import { foldConfusables } from '../detect/normalise/fold-confusables.ts';

/** Matches our name, with each letter as `plainLetters` writes it: in one piece anywhere, or as a word of its own with anything between. */
const OURS = /clawal|(?<![a-z0-9])c[^a-z0-9]*l[^a-z0-9]*a[^a-z0-9]*w[^a-z0-9]*a[^a-z0-9]*l(?![a-z0-9])/;

/** Matches what stands in place of a text that was taken out of the question. */
const REMOVED = /\[clawai removed: [\w.-]{1,80}\]/g;

/** Most characters of a server's form that are read; a longer one counts as one of ours. */
const MOST = 64 * 1024;

/**
 * Tells whether a server's question to the user speaks of clawai. clawai asks users the same way, so no server may sound like it, whatever
 * letters it uses.
 */
export function imitatesUs({ method, args }: Pick<Call, 'method' | 'args'>): boolean {
  if (method !== 'elicitation/create' || args === undefined) return false;
  const texts = textsOf(args, []);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MOST || texts.some((text) => OURS.test(plainLetters(text.replaceAll(REMOVED, ''))));
}

/** Reads letters of any kind as plain ones; a capital I, an i and a one are an l. Signs become letters first: they would part a word. */
function plainLetters(text: string): string {
  const seen = text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  const words = seen.replaceAll(/[1|]/g, 'l').replaceAll(/[4@]/g, 'a');
  const letters = foldConfusables(words).normalize('NFD').toLowerCase();
  return letters.replaceAll('i', 'l').replaceAll(/\p{M}/gu, '');
}

function textsOf(value: JsonValue, texts: string[]): string[] {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value as readonly JsonValue[]) textsOf(item, texts);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      texts.push(name);
      textsOf(member as JsonValue, texts);
    }
  }
  return texts;
}
