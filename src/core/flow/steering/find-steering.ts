import type { Category } from '../../call.ts';
import { ADDRESSES, RECIPIENTS, TEXTS } from '../../classify/parameter-words.ts';
import { splitName } from '../../classify/split-name.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Steering, SteeringKind } from '../../finding.ts';
import { type Action, ACTIONS, actionsOfTool } from './actions.ts';
import { type Address, addressesIn, withoutAddresses } from './addresses.ts';
import { beginningOf, signsOf } from './signs.ts';
import { ACTION_BITS, ADDRESSED, FIELD, REQUEST, TEXT, wordsOf } from './told.ts';

/** The knowledge about a session's values. Values are addresses, or words with a blank before them. */
export interface KnownValues {
  /** The bits of the places where results told a value that nobody had said before; undefined if none did. */
  readonly told: (value: string) => ToldValue | undefined;
  /** Tells whether the user said it. */
  readonly isSaid: (value: string) => boolean;
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

type Role = 'recipient' | 'text' | 'id' | 'other';

/** Least points of a steered call. All numbers here were chosen on traces of agents: see `docs/sessions-and-flow.md`. */
const ENOUGH = 23;

/** Points by the place of a value in the result, by its kind, and by the role of the parameter. */
const BY_PLACE = { addressed: 30, request: 20, text: 15, field: 0 } as const;
const BY_KIND: Readonly<Record<SteeringKind, number>> = {
  account: 10,
  mail: 5,
  number: 3,
  web: 0,
  path: 0,
  handle: 0,
  id: 0,
  words: -10,
  digits: -15,
};
/** Most points of a value that only stands where data has its values. */
const MOST_OF_FIELD = 10;
const TO_RECIPIENT = 10;
const TO_ADDRESS_READ = 5;
const AS_ID = -5;
/** Points if the user asked for no such action; if the request is for that very action; if the value also stands where data has its values. */
const NOT_ASKED = 10;
const SAME_ACTION = 3;
const ALSO_DATA = -13;
/** Points if the user said a part of the value, such as the name before the `@`. */
const PARTLY_SAID = -10;
const ONE_WORD = -5;

/** Actions that a request of the user covers as well: whoever asks for an appointment asks for its entry. */
const COVERED_BY: Readonly<Partial<Record<Action, readonly Action[]>>> = {
  share: ['share', 'send'],
  book: ['book', 'create'],
  change: ['change', 'create'],
  create: ['create', 'change'],
};

/** Most words of a text that counts as one value; longer ones are read as texts. */
const MOST_WORDS = 6;
const LONG_TEXT = 12;
const LONGEST_NAME = 64;
const MOST_VALUES = 512;
const MOST_DEPTH = 32;

const FURTHER_RECIPIENTS: ReadonlySet<string> = new Set(
  (
    'receiver attendees attendee participants participant invitees invitee members member guests guest number iban account account_number payee beneficiary user ' +
    'username user_name user_email user_id collaborator contact_email share_with assignee assignees reviewer reviewers forward forward_to login mail_address'
  ).split(' '),
);
const FURTHER_TEXTS: ReadonlySet<string> = new Set(
  (
    'description desc note notes summary title reason remark remarks details markdown block blocks prompt query q question caption code data payload old_string ' +
    'new_string old_text new_text reference memo script instructions value'
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
  const isFetch = categories.includes('read') && (actions & bitOf('visit')) !== 0;
  const isAsked = known.asked === undefined || isFetch || actions === 0 || isCovered(actions, known.asked);
  let best: Steered | undefined;
  const offer = (
    value: ToldValue,
    about: Pick<Steering, 'parameter' | 'kind'> & { value: string; role: Role; isPartlySaid: boolean; words: number },
  ): void => {
    const { role, kind, isPartlySaid, parameter, words } = about;
    const place = placeOf(value.bits);
    let points = BY_PLACE[place] + BY_KIND[kind];
    if (role === 'recipient') points += isFetch && kind === 'web' ? TO_ADDRESS_READ : TO_RECIPIENT;
    if (role === 'id') points += kind === 'digits' ? -BY_KIND.digits : AS_ID;
    if (words === 1) points += ONE_WORD;
    if (!isAsked) points += NOT_ASKED;
    if (((value.bits >> ACTION_BITS) & actions) !== 0) points += SAME_ACTION;
    if (isPartlySaid) points += PARTLY_SAID;
    if (place === 'field') points = Math.min(points, MOST_OF_FIELD);
    else if ((value.bits & FIELD) !== 0) points += ALSO_DATA;
    if (points <= (best?.points ?? 0)) return;
    const signs = signsOf(value.bits, { isRecipient: role === 'recipient', isAsked, isPartlySaid });
    const beginning = beginningOf(about.value, kind);
    best = { source: value.source, parameter, kind, points, signs, beginning, isUserKnown: known.asked !== undefined };
  };
  for (const { name, path, text } of textsOf(args)) {
    const words = wordsOf(text);
    const role = roleOf(name, words.length);
    const all = tellingAddresses(text, role);
    const addresses = all.filter((address) => !known.isSaid(address.text));
    const told = addresses.flatMap((address) => {
      const value = known.told(address.text) ?? known.told(reversed(address.text));
      return value === undefined ? [] : [{ address, value }];
    });
    for (const { address, value } of told) {
      // A longer part of the same address tells more.
      const isPart = told.some(({ address: other }) => other.text !== address.text && other.text.startsWith(address.text));
      if (isPart) continue;
      const isPartlySaid = hasSaidName(address, known);
      offer(value, { parameter: path, value: address.text, kind: address.kind, role, isPartlySaid, words: 0 });
    }
    if (addresses.length > 0 || words.length === 0 || words.length > MOST_WORDS) continue;
    // The words of an address that was said are said as well.
    const others = all.length === 0 ? words : wordsOf(withoutAddresses(text, all));
    const value = others.length === 0 ? undefined : toldWords(others, known);
    const isNumber = words.every((word) => /^\d+$/.test(word));
    if (value !== undefined)
      offer(value, {
        parameter: path,
        value: '',
        kind: isNumber ? 'digits' : 'words',
        role,
        isPartlySaid: false,
        words: isNumber ? 0 : words.length,
      });
  }
  return best !== undefined && best.points >= ENOUGH ? best : undefined;
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

function placeOf(bits: number): keyof typeof BY_PLACE {
  if ((bits & ADDRESSED) !== 0) return 'addressed';
  if ((bits & REQUEST) !== 0) return 'request';
  return (bits & TEXT) === 0 ? 'field' : 'text';
}

function roleOf(name: string, words: number): Role {
  const key = splitName(name).join('_');
  if (RECIPIENTS.has(key) || ADDRESSES.has(key) || FURTHER_RECIPIENTS.has(key)) return 'recipient';
  if (TEXTS.has(key) || FURTHER_TEXTS.has(key) || words > LONG_TEXT) return 'text';
  return /(?:^|_)(?:ids?|key)$/.test(key) ? 'id' : 'other';
}

/** The addresses of an argument that may tell something: names of machines stand in many texts, and an account's parts are no values. */
function tellingAddresses(text: string, role: Role): readonly Address[] {
  const all = addressesIn(text);
  const wholes = all.filter(({ kind }) => kind === 'account' || kind === 'number' || kind === 'mail' || kind === 'web');
  const isInside = (address: Address): boolean =>
    wholes.some(
      (whole) =>
        whole !== address &&
        whole.kind !== address.kind &&
        whole.start <= address.start &&
        address.end <= whole.end &&
        (address.kind === 'id' || whole.kind === 'account' || whole.kind === 'web'),
    );
  return all.filter((address) => !(address.kind === 'id' && role === 'text') && !isInside(address));
}

/** Tells whether the user said a name in an address: the part before the `@`, or one of a host's. */
function hasSaidName({ text, kind }: Address, { isSaid }: KnownValues): boolean {
  if (kind !== 'mail' && kind !== 'web' && kind !== 'handle') return false;
  const named = kind === 'mail' ? text.slice(0, text.indexOf('@')) : (text.split('/')[0] ?? '');
  return named.split(/[^\p{L}]+/u).some((word) => word.length >= 4 && !USUAL.has(word) && isSaid(` ${word}`));
}

const USUAL: ReadonlySet<string> = new Set('https mail info example gmail github docs support'.split(' '));

/** The value that all words of an argument are, if a request told all of them, and the user not all. */
function toldWords(words: readonly string[], known: KnownValues): ToldValue | undefined {
  if (words.every((word) => known.isSaid(` ${word}`)) || words.join('').length < 2) return undefined;
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

function reversed(text: string): string {
  return [...text].toReversed().join('');
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
