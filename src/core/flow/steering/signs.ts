import type { SteeringKind, SteeringSign } from '../../finding.ts';
import { ADDRESSED, FIELD, REQUEST, STRONG, TEXT } from './told.ts';

/** The facts that gave a value its points. @param bits its places in the result */
export function signsOf(
  bits: number,
  of: { readonly isRecipient: boolean; readonly isAsked: boolean; readonly isPartlySaid: boolean },
): readonly SteeringSign[] {
  const place = [ADDRESSED | STRONG, REQUEST, TEXT].find((bit) => (bits & bit) !== 0);
  const holds: Readonly<Record<SteeringSign, boolean>> = {
    addressed: place === (ADDRESSED | STRONG),
    request: place === REQUEST,
    text: place === TEXT,
    recipient: of.isRecipient,
    not_asked: !of.isAsked,
    data: (bits & FIELD) !== 0,
    partly_said: of.isPartlySaid,
  };
  return SIGNS.filter((sign) => holds[sign]);
}

/** Most characters of a beginning. */
const MOST_SHOWN = 4;

/**
 * The beginning of a value by which a person knows it, at most its half; of a mail address that of the name, since the host tells whose it
 * is. Undefined if that says nothing.
 */
export function beginningOf(value: string, kind: SteeringKind): string | undefined {
  if (kind === 'words' || kind === 'digits') return undefined;
  const end = kind === 'mail' ? value.indexOf('@') : value.length;
  const shown = value.slice(0, Math.min(MOST_SHOWN, Math.floor(end / 2))).toWellFormed();
  if (shown === '') return undefined;
  return `${kind === 'account' ? shown.toUpperCase() : shown}…${hostIn(value.slice(end))}`;
}

/** The host behind a name as programs write it: letters of other scripts look like those of a host that a person trusts. */
function hostIn(rest: string): string {
  if (!/[^\x00-\x7f]/.test(rest)) return rest;
  const url = `http://${rest.slice(1)}`;
  return URL.canParse(url) ? `@${new URL(url).hostname}` : '';
}

/** Words for people, as clauses. */
const FOR: Readonly<Partial<Record<SteeringSign, string>>> = {
  addressed: 'it stood beside words to an agent',
  request: 'it stood in a request',
  text: 'it stood in a text',
  recipient: 'it says where something goes',
  not_asked: 'you asked for no such action',
};
const AGAINST: Readonly<Partial<Record<SteeringSign, string>>> = {
  data: 'it also stands where data has it',
  partly_said: 'you said a part of it',
};

const SIGNS = Object.keys({ ...FOR, ...AGAINST }) as readonly SteeringSign[];

/** The words for what speaks for a finding, and against it. Unknown codes, as of another version, are left out. */
export function readSigns(codes: readonly string[]): { readonly for: readonly string[]; readonly against: readonly string[] } {
  const wordsIn = (words: Readonly<Partial<Record<string, string>>>): string[] =>
    codes.flatMap((code) => (Object.hasOwn(words, code) ? [words[code] ?? code] : []));
  return { for: wordsIn(FOR), against: wordsIn(AGAINST) };
}

/** The same as half a sentence: `it stood in a request, and it says where something goes, but you said a part of it`; empty without any. */
export function describeSigns(codes: readonly string[]): string {
  const { for: pro, against } = readSigns(codes);
  const but = against.join(', and ');
  return [pro.join(', and '), but === '' ? '' : `but ${but}`].filter((part) => part !== '').join(', ');
}
