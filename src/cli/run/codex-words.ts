import { parseToml, type TomlValue } from '../../core/policy/toml.ts';
import { agentOf, programOf, startsOthers, surelyStarted } from './program-of.ts';

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
}

/** Programs that start Codex on this machine, as this user, and pass its words on. */
const PASSES_ON =
  /^(?:arch|asdf|aws-vault|bunx?|caffeinate|chronic|chrt|command|corepack|direnv|doppler|dotenvx?|dumb-init|env|exec|flock|fnm|infisical|ionice|mise|nice|node|nodemon|nohup|npm|npx|nvm|op|pnpm|pnpx|prlimit|rlwrap|rtx|setsid|stdbuf|taskset|time|timeout|tini|tsx|unbuffer|volta|winpty|yarn)$/;

/** Programs that run a package, and what may stand between them and its name. Option and value: a package whose program is named behind. */
const RUNNER = /^(?:bunx?|npm|npx|pnpm|pnpx|yarn)$/;
const BEFORE_NAME = /^(?:-.*|dlx|exec|x)$/;
const PACKAGE = /^(?:-p|--package)$/;

/**
 * Reads a command that starts Codex by a word of its own. Undefined if it does not, if a shell or a script does, or if it would run where
 * it can't reach us.
 */
export function readCodexWords(words: readonly string[]): CodexWords | undefined {
  const at = words.findIndex((word, index) => agentOf(word) === 'codex' && !PACKAGE.test(words[index - 1] ?? ''));
  const before = words.slice(0, at);
  if (at === -1 || surelyStarted(words).symmetricDifference(new Set(['codex'])).size > 0) return undefined;
  if (before.some((word) => startsOthers(word) && !PASSES_ON.test(programOf(word)))) return undefined;
  const runner = before.findLastIndex((word) => RUNNER.test(programOf(word)));
  const between = runner === -1 ? [] : before.slice(runner + 1);
  if (between.some((word, index) => !BEFORE_NAME.test(word) && !PACKAGE.test(between[index - 1] ?? ''))) return undefined;
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
  return { overrides, profile, elsewhere, ignoresSettings };
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
 *
 * @param words the command that `found` was read from
 */
export function addOverride(
  words: readonly string[],
  found: CodexWords,
  setting: readonly [name: string, value: string],
): string[] {
  const [name, value] = setting;
  const added = ['-c', `${name}=${JSON.stringify(value)}`];
  const key = name.split('.');
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
