import type { Category } from '../../call.ts';
import { ADDRESSES, RECIPIENTS } from '../../classify/parameter-words.ts';
import { splitName } from '../../classify/split-name.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Steering, SteeringKind } from '../../finding.ts';
import { type Action, ACTIONS, actionsOfTool } from './actions.ts';
import { type Address, addressesIn, withoutAddresses } from './addresses.ts';
import { beginningOf, signsOf } from './signs.ts';
import { ADDRESSED, FIELD, REQUEST, STRONG, TEXT, wordsOf } from './told.ts';

/** The knowledge about a session's values. Values are addresses, or words with a blank before them. */
export interface KnownValues {
  /** The bits of the places where results told a value that nobody had said before; undefined if none did. */
  readonly told: (value: string) => ToldValue | undefined;
  /** Tells whether the user said it, or has allowed it for the parameter of this name. */
  readonly isSaid: (value: string, parameter: string) => boolean;
  /** The actions that the user asked for, as bits; undefined if what the user says is not known. */
  readonly asked: number | undefined;
}

export interface ToldValue {
  readonly bits: number;
  /** Id of the call whose result told it. */
  readonly source: string;
}

/** A steering value, and how much speaks for it. */
interface Steered extends Steering {
  /** `ENOUGH` of them make a finding. */
  readonly points: number;
}

/** Words for people. */
export const KINDS_OF_VALUES: Readonly<Record<SteeringKind, string>> = {
  account: 'an account number',
  mail: 'a mail address',
  number: 'a number',
  web: 'a web address',
  path: 'a path',
  handle: 'a name',
  id: 'an id',
  words: 'words',
  digits: 'a number',
};

/** Least points of a steered call. All numbers here were chosen on traces of agents: see `docs/sessions-and-flow.md`. */
const ENOUGH = 23;

/** Points by the place of a value in the result, the most telling place first, and by its kind. */
const BY_PLACE: readonly (readonly [bits: number, points: number])[] = [
  [STRONG, 33],
  [ADDRESSED, 23],
  [REQUEST, 17],
  [TEXT, 6],
];
const BY_KIND: Readonly<Partial<Record<SteeringKind, number>>> = {
  account: 19,
  mail: 5,
  path: -3,
  digits: -3,
  words: -8,
};
/** Most points of a value that only stands where data has its values; points if it also stands there. */
const MOST_OF_FIELD = 10;
const ALSO_DATA = -13;
/** Points if the parameter says where something goes, or what it is about. */
const TO_DESTINATION = 4;
/** Points of a single word elsewhere: `main` and `true` stand in many requests. */
const ONE_WORD = -3;
/** Points if the user asked for no such action, and if the user said a part of the value, such as the name before the `@`. */
const NOT_ASKED = 12;
const PARTLY_SAID = -5;
/** Points if the user wants whatever a result asks for, unless that is told in words for agents only. */
const LEFT_TO_RESULT = -4;
/** Points of an address that is only read. */
const ONLY_READ = -7;

/** Actions that a request of the user covers as well: whoever asks for an appointment asks for its entry. */
const COVERED_BY: Readonly<Partial<Record<Action, readonly Action[]>>> = {
  share: ['share', 'send'],
  book: ['book', 'create'],
  change: ['change', 'create'],
  create: ['create', 'change'],
};

/** Actions by which agents do all their work, so that no user asks for them. */
const GENERIC = bitOf('visit') | bitOf('run');
const ALL = 2 ** ACTIONS.length - 1;

/** Most words and characters of a text that counts as one value. */
const MOST_WORDS = 6;
const LONGEST_VALUE = 160;
/** An id counts where the text is at most so many times as long. */
const LEAST_SHARE = 6;
const LONGEST_NAME = 64;
const MOST_VALUES = 512;
const MOST_DEPTH = 32;

const FURTHER_RECIPIENTS: ReadonlySet<string> = new Set(
  (
    'receiver attendees attendee participants participant invitees invitee members member guests guest number iban account account_number payee beneficiary user ' +
    'username user_name user_email user_id collaborator contact_email share_with assignee assignees reviewer reviewers forward forward_to login mail_address'
  ).split(' '),
);
/**
 * Finds the values in a call's arguments by which a result may steer it: those that a result told, and that neither the user nor an earlier
 * call had said.
 *
 * @param call the tool, its categories and arguments
 * @returns the one with most points, if it has enough
 */
export function findSteering(
  { tool, categories, args }: { readonly tool: string; readonly categories: readonly Category[]; readonly args: JsonObject },
  known: KnownValues,
): Steering | undefined {
  // Whoever only reads changes nothing, unless the address itself carries data away.
  if (!isActing(categories)) return undefined;
  const actions = actionsOfTool(tool);
  const isOnlyRead = categories.includes('read') && (actions & bitOf('visit')) !== 0;
  const isAsked = known.asked === undefined || isOnlyRead || (actions & ~GENERIC) === 0 || isCovered(actions, known.asked);
  const about = (isOnlyRead ? ONLY_READ : 0) + (isAsked ? 0 : NOT_ASKED);
  let best: Steered | undefined;
  const offer = ({ bits, source }: ToldValue, kind: SteeringKind, { name, path, address, isOneWord = false }: Found): void => {
    const [, place = 0] = BY_PLACE.find(([bit]) => (bits & bit) !== 0) ?? [];
    const isRecipient = isDestination(name);
    const isPartlySaid = address !== undefined && hasSaidName(address, name, known);
    let points = place + (BY_KIND[kind] ?? 0) + about;
    if (isRecipient) points += TO_DESTINATION;
    else if (isOneWord) points += ONE_WORD;
    if (isPartlySaid) points += PARTLY_SAID;
    if (known.asked === ALL && (bits & STRONG) === 0) points += LEFT_TO_RESULT;
    if (place === 0) points = Math.min(points, MOST_OF_FIELD);
    else if ((bits & FIELD) !== 0) points += ALSO_DATA;
    if (points <= (best?.points ?? 0)) return;
    const signs = signsOf(bits, { isRecipient, isAsked, isPartlySaid });
    const beginning = beginningOf(address?.text ?? '', kind);
    best = { source, parameter: path, kind, points, signs, beginning, isUserKnown: known.asked !== undefined };
  };
  for (const { text, ...place } of textsOf(args)) {
    const all = tellingAddresses(text);
    const addresses = all.filter((address) => !known.isSaid(address.text, place.name));
    const told = new Map<number, { readonly address: Address; readonly value: ToldValue }>();
    for (const address of addresses) {
      const value = known.told(address.text);
      // A longer part of the same address tells more.
      if (value !== undefined && address.text.length >= (told.get(address.start)?.address.text.length ?? 0))
        told.set(address.start, { address, value });
    }
    for (const { address, value } of told.values()) offer(value, address.kind, { ...place, address });
    if (addresses.length > 0 || text.length > LONGEST_VALUE) continue;
    const words = wordsOf(text);
    if (words.length > MOST_WORDS) continue;
    // The words of an address that was said are said as well.
    const others = all.length === 0 ? words : wordsOf(withoutAddresses(text, all));
    const value = others.length === 0 ? undefined : toldWords(others, place.name, known);
    if (value === undefined) continue;
    const kind = words.every((word) => /^\d+$/.test(word)) ? 'digits' : 'words';
    offer(value, kind, { ...place, isOneWord: words.length === 1 });
  }
  return best !== undefined && best.points >= ENOUGH ? best : undefined;
}

interface Found extends Omit<NamedText, 'text'> {
  readonly address?: Address;
  readonly isOneWord?: boolean;
}

/** Tells whether a tool of these categories does more than read and compute. */
export function isActing(categories: readonly Category[]): boolean {
  return categories.some((category) => category !== 'read' && category !== 'compute');
}

function bitOf(action: Action): number {
  return 1 << ACTIONS.indexOf(action);
}

/** Tells whether one of a tool's actions is among those that the user asked for, or belongs to one. */
function isCovered(actions: number, asked: number): boolean {
  return ACTIONS.some((action, index) => {
    if ((actions & (1 << index)) === 0) return false;
    return (COVERED_BY[action] ?? [action]).some((other) => (asked & bitOf(other)) !== 0);
  });
}

/** Tells whether a parameter of this name says where something goes, or names what it is about. */
function isDestination(name: string): boolean {
  const key = splitName(name).join('_');
  return RECIPIENTS.has(key) || ADDRESSES.has(key) || FURTHER_RECIPIENTS.has(key) || /(?:^|_)(?:ids?|key)$/.test(key);
}

/**
 * The addresses of an argument that may tell something: no parts of others but of the same kind, and no ids in a text, since many have
 * names of machines.
 */
function tellingAddresses(text: string): readonly Address[] {
  const ends = { account: 0, number: 0, mail: 0, web: 0 };
  const ordered = addressesIn(text).toSorted((one, other) => one.start - other.start || other.end - one.end);
  return ordered.filter(({ kind, start, end }) => {
    const isInside =
      kind === 'id'
        ? end <= Math.max(ends.account, ends.number, ends.mail, ends.web)
        : (kind !== 'account' && end <= ends.account) || (kind !== 'web' && end <= ends.web);
    if (kind in ends) ends[kind as keyof typeof ends] = Math.max(ends[kind as keyof typeof ends], end);
    return !isInside && (kind !== 'id' || (end - start) * LEAST_SHARE >= text.length);
  });
}

/** Tells whether the user said a name in an address: the part before the `@`, or one of a host's. */
function hasSaidName({ text, kind }: Address, parameter: string, { isSaid }: KnownValues): boolean {
  if (kind !== 'mail' && kind !== 'web' && kind !== 'handle') return false;
  const named = kind === 'mail' ? text.slice(0, text.indexOf('@')) : (text.split('/')[0] ?? '');
  return named.split(/[^\p{L}]+/u).some((word) => word.length >= 4 && !USUAL.has(word) && isSaid(` ${word}`, parameter));
}

const USUAL: ReadonlySet<string> = new Set('https mail info example gmail github docs support'.split(' '));

/** The value that all words of an argument are, if a request told all of them, and the user not all. */
function toldWords(words: readonly string[], parameter: string, known: KnownValues): ToldValue | undefined {
  if (words.every((word) => known.isSaid(` ${word}`, parameter)) || words.join('').length < 2) return undefined;
  let bits = -1;
  let source = '';
  for (const word of words) {
    const value = known.told(` ${word}`);
    if (value === undefined) return undefined;
    bits &= value.bits;
    ({ source } = value);
  }
  return (bits & (REQUEST | ADDRESSED)) === 0 ? undefined : { bits, source };
}

interface NamedText {
  /** The name of its nearest member, and the names and indexes that lead to it: `edits.0.text`. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** The texts and numbers of arguments. */
export function textsOf(args: JsonObject): readonly NamedText[] {
  const found: NamedText[] = [];
  const visit = (value: JsonValue, name: string, path: string, depth: number): void => {
    if (found.length >= MOST_VALUES || depth > MOST_DEPTH) return;
    if (typeof value === 'string') found.push({ name, path, text: value });
    else if (typeof value === 'number') found.push({ name, path, text: String(value) });
    else if (value instanceof ExactNumber) found.push({ name, path, text: value.source });
    else if (Array.isArray(value))
      for (const [at, item] of (value as readonly JsonValue[]).entries()) visit(item, name, placeIn(path, String(at)), depth + 1);
    else if (isJsonObject(value))
      for (const [key, member] of Object.entries(value)) visit(member, key, placeIn(path, key), depth + 1);
  };
  visit(args, '', '', 0);
  return found;
}

/** Matches names that are no values: places are recorded, and values never are. */
const PLAIN_NAME = /^(?!(?:\D*\d){5})[\p{L}\p{M}\p{N} _$.-]{1,40}$/u;

/** Joins a name to a place; what is beyond the longest is not shown anyway. */
function placeIn(path: string, name: string): string {
  const shown = PLAIN_NAME.test(name) ? name : '*';
  return path.length >= LONGEST_NAME ? path : `${path}${path === '' ? '' : '.'}${shown}`.slice(0, LONGEST_NAME).toWellFormed();
}
