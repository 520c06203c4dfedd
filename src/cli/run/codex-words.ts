import { parseToml, type TomlValue } from '../../core/policy/toml.ts';
import { agentOf } from './program-of.ts';
import { programOf } from './program-name.ts';
import { programPlace } from './program-place.ts';

/** A value that the command gives to a setting of Codex, as `-c KEY=VALUE`. */
interface CodexOverride {
  /** The parts of the setting's name. */
  readonly key: readonly string[];
  readonly value: TomlValue;
  /** Index of the word behind it. */
  readonly end: number;
}

/** The words of a command that say which model Codex asks. */
export interface CodexWords {
  /** Index of the word that starts Codex. */
  readonly at: number;
  /** In order; the last one counts. */
  readonly overrides: readonly CodexOverride[];
  readonly profile: string | undefined;
  /** The option that has it ask somebody else; undefined without one. */
  readonly elsewhere: string | undefined;
  /** True if it reads no settings of the user's. */
  readonly ignoresSettings: boolean;
  /** The session that goes on: its id or name, `last`, or one that is chosen later. Undefined for a new one. */
  readonly resumed: { readonly id: string } | 'last' | 'chosen' | undefined;
}

/**
 * Reads a command that starts Codex by a word of its own. Undefined if it does not, if a shell or a script does, if it would run where
 * it can't reach us, or if nobody can tell where Codex stands in it.
 */
export function readCodexWords(words: readonly string[]): CodexWords | undefined {
  const at = programPlace(words);
  if (at === undefined || agentOf(words[at] ?? '') !== 'codex') return undefined;
  return { at, ...readOptions(words, at + 1) };
}

const TAKES_VALUE = /^(?:-c|--config|-p|--profile|--remote)$/;
const WITH_VALUE = /^(-c|-p)=?(.+)$|^(--config|--profile|--remote)=(.*)$/s;

function readOptions(words: readonly string[], from: number): Omit<CodexWords, 'at'> {
  const overrides: CodexOverride[] = [];
  let profile: string | undefined;
  let elsewhere: string | undefined;
  let ignoresSettings = false;
  for (let index = from; index < words.length && (words[index] !== '--' || isForRunner(words, index)); index++) {
    const word = words[index] ?? '';
    if (word === '--oss') elsewhere = word;
    if (word === '--ignore-user-config') ignoresSettings = true;
    const joined = WITH_VALUE.exec(word);
    const option = TAKES_VALUE.test(word) ? word : (joined?.[1] ?? joined?.[3]);
    if (option === undefined) continue;
    if (TAKES_VALUE.test(word)) index++;
    const value = TAKES_VALUE.test(word) ? (words[index] ?? '') : (joined?.[2] ?? joined?.[4] ?? '');
    if (option.startsWith('--r')) elsewhere = '--remote';
    else if (option === '-p' || option === '--profile') profile = value;
    else overrides.push({ ...parseOverride(value), end: index + 1 });
  }
  return { overrides, profile, elsewhere, ignoresSettings, resumed: readResumed(words.slice(from)) };
}

/** Options of `resume` and `fork` are looked at in any order: one too many only warns too often. */
function readResumed(words: readonly string[]): CodexWords['resumed'] {
  const at = words.findIndex((word) => word === 'resume' || word === 'fork');
  if (at === -1) return undefined;
  if (words.includes('--last', at)) return 'last';
  const id = words.slice(at + 1).find((word) => /^[\da-f]{8}-[\da-f-]{27}$/i.test(word));
  return id === undefined ? 'chosen' : { id };
}

/** Tells whether `--` ends the options of npm and not those of Codex, as in `npm exec @openai/codex -- exec`. */
function isForRunner(words: readonly string[], index: number): boolean {
  return programOf(words[0] ?? '') === 'npm' && words.indexOf('--') === index;
}

/** Reads `key.part=value` as Codex does: what is no TOML is a text. */
function parseOverride(text: string): Pick<CodexOverride, 'key' | 'value'> {
  const equals = text.indexOf('=');
  const key = (equals === -1 ? text : text.slice(0, equals)).trim().split('.');
  const value = equals === -1 ? '' : text.slice(equals + 1).trim();
  const read = parseToml(`v = ${value}`);
  return { key, value: (read.ok ? read.table['v'] : undefined) ?? value };
}

/**
 * The command with a setting of our own, which counts more than those of the user: it stands behind each of them that sets the same, and first.
 * Undefined if no argument can do that.
 *
 * @param words the command that `found` was read from
 */
export function addOverride(
  words: readonly string[],
  found: CodexWords,
  setting: { readonly key: readonly string[]; readonly value: string },
): string[] | undefined {
  const { key, value } = setting;
  const isPlain = key.every((part) => /^[\w-]+$/.test(part));
  // Codex splits a setting's name at each dot, whether or not it is quoted. A table is joined with that of the settings, but replaces arguments.
  if (!isPlain && found.overrides.some((each) => each.key[0] === key[0])) return undefined;
  const added = [
    '-c',
    isPlain ? `${key.join('.')}=${JSON.stringify(value)}` : `${key[0] ?? ''}=${inTables(key.slice(1), value)}`,
  ];
  const ends = found.overrides.filter((each) => each.key.every((part, index) => part === key[index])).map(({ end }) => end);
  const isNpm = programOf(words[0] ?? '') === 'npm' && words.indexOf('--') > found.at;
  const first = isNpm ? words.indexOf('--') + 1 : found.at + 1;
  // Without `--`, npm takes for its own what begins with a hyphen.
  const isBare = programOf(words[0] ?? '') === 'npm' && !words.includes('--');
  if (isBare) return [...words, '--', ...added];
  const places = new Set([first, ...ends]);
  return [
    ...words.flatMap((word, index) => (places.has(index) ? [...added, word] : [word])),
    ...(places.has(words.length) ? added : []),
  ];
}

/** A text of TOML: the value within a table for each part of its name. */
function inTables(key: readonly string[], value: string): string {
  return key.reduceRight((inner, part) => `{${JSON.stringify(part)}=${inner}}`, JSON.stringify(value));
}
