import { suggestName } from '../../suggest.ts';
import { formatDuration, parseDuration } from '../quantity.ts';
import { checkKeys, complain, complainOfType, type Complaints } from './complaints.ts';
import { parseGlobs } from './parse-texts.ts';
import { isTomlTable, type TomlTable, type TomlValue } from './toml.ts';
import type { PolicyPath } from './types.ts';

/** Inclusive. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Common to all descriptions of keys: `usual` is the default value, `said` a sentence that editors show. */
interface Described<Kind extends string, Usual> {
  readonly kind: Kind;
  readonly usual: Usual;
  readonly description: string;
}

/** True or false. */
export type FlagKey = Described<'flag', boolean>;

/** One of a few words. */
export interface WordKey<Word extends string = string> extends Described<'word', Word> {
  readonly words: readonly Word[];
  /** Names for one of them, and for all of them, in messages. */
  readonly noun?: string;
  readonly plural?: string;
  /** Set if the default depends on another key, so that editors are told none. */
  readonly follows?: true;
}

/** Milliseconds, written like `30s`. */
export interface DurationKey extends Described<'duration', number>, Bounds {
  /** The first is used in messages; editors show all if there are several. */
  readonly examples: readonly string[];
}

/** An integer. */
export type IntegerKey = Described<'integer', number> & Bounds;

/** A number above 0, or an integer from 1. */
export interface AmountKey extends Described<'amount', number | undefined> {
  readonly isWhole: boolean;
  readonly most: number;
}

/** A list of globs. */
export interface GlobsKey extends Described<'globs', readonly string[]> {
  readonly examples?: readonly (readonly string[])[];
}

/** A key with a reader and a schema of its own. */
export interface OwnKey {
  readonly kind: 'own';
}

export type Key = FlagKey | WordKey | DurationKey | IntegerKey | AmountKey | GlobsKey | OwnKey;

/** The keys of a table, in the order in which they are listed, shown and read. */
export type Keys = Readonly<Record<string, Key>>;

/** Converts `on_change` to `onChange`. */
export type PropertyOf<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<PropertyOf<Rest>>}`
  : Name;

type ValueOf<K extends Key> = K extends WordKey<infer Word> ? Word : K extends { readonly usual: infer Usual } ? Usual : never;

type ReadKeys<K extends Keys> = { [Name in keyof K]: K[Name] extends OwnKey ? never : Name }[keyof K];

/** The values of a table, by their keys in camel case, without those that have a reader of their own. */
export type Values<K extends Keys> = {
  readonly [Name in ReadKeys<K> & string as PropertyOf<Name>]: ValueOf<K[Name]>;
};

export const OWN: OwnKey = { kind: 'own' };

export function flag(usual: boolean, description: string): FlagKey {
  return { kind: 'flag', usual, description };
}

export function word<const Word extends string>(
  words: readonly Word[],
  rest: Omit<WordKey<NoInfer<Word>>, 'kind' | 'words'>,
): WordKey<Word> {
  return { kind: 'word', words, ...rest };
}

export function duration(rest: Omit<DurationKey, 'kind'>): DurationKey {
  return { kind: 'duration', ...rest };
}

export function integer(rest: Omit<IntegerKey, 'kind'>): IntegerKey {
  return { kind: 'integer', ...rest };
}

export function amount(rest: Omit<AmountKey, 'kind'>): AmountKey {
  return { kind: 'amount', ...rest };
}

export function globs(description: string, examples?: GlobsKey['examples']): GlobsKey {
  return { kind: 'globs', usual: [], description, ...(examples === undefined ? {} : { examples }) };
}

/** A table of a policy, its path, and the collector of its errors. */
export interface Place {
  readonly table: TomlTable;
  readonly path: PolicyPath;
  readonly to: Complaints;
}

/** Converts `on_change` to `onChange`. */
export function propertyOf(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Opens a table of a policy and checks its keys; an empty one if it is absent, or not a table.
 *
 * @param where its name in messages
 */
export function openTable(
  value: TomlValue | undefined,
  { path, to, where = `[${path.join('.')}]` }: Omit<Place, 'table'> & { readonly where?: string },
  keys: Keys,
): Place {
  if (value === undefined) return { table: {}, path, to };
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table');
    return { table: {}, path, to };
  }
  checkKeys(to, path, value, { read: Object.keys(keys), where });
  return { table: value, path, to };
}

/** Reads a table's values by the description of its keys. @param usual overrides of the described defaults */
export function readValues<K extends Keys>(place: Place, keys: K, usual: Partial<Values<K>> = {}): Values<K> {
  const instead: Readonly<Record<string, unknown>> = usual;
  const read = Object.entries(keys).flatMap(([name, key]) => {
    if (key.kind === 'own') return [];
    const property = propertyOf(name);
    return [[property, readKey(place, name, key) ?? instead[property] ?? key.usual]];
  });
  // Each key is read as its description says.
  return Object.fromEntries(read) as Values<K>;
}

/** The defaults of a table. */
export function usualValues<K extends Keys>(keys: K): Values<K> {
  return readValues({ table: {}, path: [], to: { errors: [], regex: undefined, needsRegex: false } }, keys);
}

function readKey(place: Place, name: string, key: Exclude<Key, OwnKey>): unknown {
  switch (key.kind) {
    case 'flag':
      return readFlag(place, name);
    case 'word':
      return readWord(place, name, key);
    case 'duration':
      return readDuration(place, name, key);
    case 'integer':
      return readInteger(place, name, key);
    case 'amount':
      return readAmount(place, name, key);
    case 'globs':
      return place.table[name] === undefined ? undefined : parseGlobs(place.table[name], [...place.path, name], place.to);
  }
}

/** True, false, or undefined if it is absent or neither. */
export function readFlag({ table, path, to }: Place, name: string): boolean | undefined {
  const value = table[name];
  if (value === undefined || typeof value === 'boolean') return value;
  complainOfType(to, [...path, name], value, 'true or false');
  return undefined;
}

/** One of these words, or undefined if it is absent or none of them. */
export function readWord<Word extends string>(
  { table, path, to }: Place,
  name: string,
  { words, noun, plural }: Pick<WordKey<Word>, 'words' | 'noun' | 'plural'>,
): Word | undefined {
  const value = table[name];
  const known = words.find((each) => each === value);
  if (value === undefined || known !== undefined) return known;
  const place = [...path, name];
  const quoted = words.map((each) => `"${each}"`);
  const listed = plural === undefined ? quoted.join(' or ') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  if (typeof value !== 'string') complainOfType(to, place, value, listed);
  else if (noun === undefined) complain(to, place, `${name} is ${listed}, not "${value}"`);
  else {
    const meant = suggestName(value, words);
    const hint = meant === undefined ? `${plural ?? 'it is one of'}: ${words.join(', ')}` : `did you mean "${meant}"?`;
    complain(to, place, `unknown ${noun} ${JSON.stringify(value)}`, hint);
  }
  return undefined;
}

function readDuration({ table, path, to }: Place, name: string, { examples, ...bounds }: DurationKey): number | undefined {
  const value = table[name];
  if (value === undefined) return undefined;
  const place = [...path, name];
  if (typeof value !== 'string') {
    complainOfType(to, place, value, `a duration like "${examples[0]}"`);
    return undefined;
  }
  const read = parseDuration(value);
  if (read.ok) return within(read.value, bounds, { place, to, show: formatDuration });
  complain(to, place, read.message, read.hint);
  return undefined;
}

function readInteger({ table, path, to }: Place, name: string, bounds: IntegerKey): number | undefined {
  const value = table[name];
  if (value === undefined) return undefined;
  const place = [...path, name];
  if (typeof value === 'bigint' || Number.isInteger(value)) return within(Number(value), bounds, { place, to, show: String });
  complainOfType(to, place, value, 'an integer');
  return undefined;
}

function readAmount({ table, path, to }: Place, name: string, { isWhole, most }: AmountKey): number | undefined {
  const value = table[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0 && value <= most && (!isWhole || Number.isInteger(value))) return value;
  const range = isWhole ? `an integer from 1 to ${most}` : `a number above 0 and at most ${most}`;
  if (typeof value === 'number' || typeof value === 'bigint') complain(to, [...path, name], `${name} must be ${range}`);
  else complainOfType(to, [...path, name], value, range);
  return undefined;
}

interface Bounded {
  readonly place: PolicyPath;
  readonly to: Complaints;
  readonly show: (value: number) => string;
}

function within(value: number, { least, most }: Bounds, { place, to, show }: Bounded): number | undefined {
  if (value >= least && value <= most) return value;
  complain(to, place, `${place.join('.')} must be at least ${show(least)} and at most ${show(most)}`);
  return undefined;
}
