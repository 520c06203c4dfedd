import { programOf } from './program-name.ts';

/** A program that starts another one on this machine, as this user, and passes the words behind that one on. */
interface Wrapper {
  /** Words that have to stand first, e.g. `exec`. */
  readonly command?: RegExp;
  /** True if it starts a program without these, too. */
  readonly needsNoCommand?: true;
  /** Its options that have no value, or have it in the same word. With any other, nobody can tell where the program stands. */
  readonly flags?: RegExp;
  /** Its options that have a value in the next word. */
  readonly values?: RegExp;
  /** Words in front of the program that are no options. */
  readonly operands?: number;
  /** True if variables may be set in front of the program. */
  readonly sets?: true;
  /** True if only `--` tells where the program begins. */
  readonly isBehindDashes?: true;
}

/** Any option with its value in the same word, unless that is a line or code to run. */
const ANY_JOINED = String.raw`--(?!(?:call|command|eval|print|split-string)=)[\w-]+=.*`;
const flags = (form: string): RegExp => new RegExp(`^(?:${form}|${ANY_JOINED})$`, 's');

const DASHES: Wrapper = { isBehindDashes: true };
const PLAIN: Wrapper = {};
const RUNNER: Wrapper = {
  flags: flags('-y|-q|-s|--(?:yes|quiet|silent|no|no-install|prefer-offline|prefer-online|offline|bun)'),
  values: /^(?:-p|--package)$/,
};

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    'env',
    {
      flags: flags('-|-[0iv]+|-u.+|-C.+|--(?:null|ignore-environment|debug)'),
      values: /^(?:-[0iv]*[uCa]|--(?:unset|chdir|argv0))$/,
      sets: true,
    },
  ],
  ['arch', { flags: /^-(?:arm64e?|x86_64|i386|32|64)$/ }],
  ['caffeinate', { flags: /^-[dimsu]+$/, values: /^-[tw]$/ }],
  ['chronic', { flags: /^-[ev]+$/ }],
  ['chrt', { flags: flags('-[abdfiorv]+'), values: /^-[TPD]$/, operands: 1 }],
  ['command', { flags: /^-p$/ }],
  ['dumb-init', { flags: flags('-[cv]+'), values: /^-r$/ }],
  ['exec', { flags: /^-[cl]+$/, values: /^-[cl]*a$/ }],
  [
    'flock',
    {
      flags: flags('-[sxenuFov]+|--(?:shared|exclusive|nonblock|nb|close|no-fork|verbose)'),
      values: /^(?:-[wE]|--(?:timeout|wait|conflict-exit-code))$/,
      operands: 1,
    },
  ],
  ['ionice', { flags: flags('-t|-[cn]\\d'), values: /^-[cn]$/ }],
  ['nice', { flags: flags('-\\d+|-n-?\\d+'), values: /^(?:-n|--adjustment)$/ }],
  ['nohup', PLAIN],
  ['prlimit', { flags: flags('') }],
  ['rlwrap', PLAIN],
  ['setsid', { flags: flags('-[cfw]+|--(?:ctty|fork|wait)') }],
  ['stdbuf', { flags: flags('-[ioe].+'), values: /^(?:-[ioe]|--(?:input|output|error))$/ }],
  ['taskset', { flags: flags('-[ac]+|--(?:all-tasks|cpu-list)'), operands: 1 }],
  ['time', { flags: flags('-[apvlh]+'), values: /^-[fo]$/ }],
  [
    'timeout',
    {
      flags: flags('-[fpv]+|-[ks].+|--(?:foreground|preserve-status|verbose)'),
      values: /^(?:-[ks]|--(?:kill-after|signal))$/,
      operands: 1,
    },
  ],
  ['tini', { flags: /^-[svgw]+$/, values: /^-[pe]$/ }],
  ['unbuffer', { flags: /^-p$/ }],
  ['winpty', PLAIN],
  ['asdf', { command: /^exec$/ }],
  ['direnv', { command: /^exec$/, operands: 1 }],
  ['fnm', { command: /^exec$/, flags: flags('') }],
  ['corepack', PLAIN],
  ['volta', { command: /^run$/, values: /^--(?:node|npm|pnpm|yarn)$/ }],
  ...'aws-vault doppler dotenv dotenvx infisical mise op rtx'.split(' ').map((name) => [name, DASHES] as const),
  ...'node tsx'.split(' ').map(
    (name) =>
      [
        name,
        {
          flags: flags('--no-[\\w-]+|--enable-source-maps|--inspect(?:-brk)?|--trace-(?:warnings|deprecation)'),
          values: /^(?:-r|-C|--require|--import|--loader|--conditions)$/,
        },
      ] as const,
  ),
  ...'bunx npx pnpx'.split(' ').map((name) => [name, RUNNER] as const),
  ['bun', { ...RUNNER, command: /^x$/ }],
  ['npm', { ...RUNNER, command: /^(?:exec|x)$/ }],
  ...'pnpm yarn'.split(' ').map((name) => [name, { ...RUNNER, command: /^(?:dlx|exec)$/, needsNoCommand: true }] as const),
]);

/**
 * The index of the program that a command starts in the end, behind those that only start another one (`env A=b timeout 5 codex`). Undefined
 * if nobody can tell, e.g. behind an option that is unknown here.
 */
export function programPlace(words: readonly string[]): number | undefined {
  let at: number | undefined = 0;
  for (let wrapper = wrapperOf(words[0]); wrapper !== undefined; wrapper = wrapperOf(words[at])) {
    at = placeBehind(words, at, wrapper);
    if (at === undefined) return undefined;
  }
  return at < words.length ? at : undefined;
}

function wrapperOf(word: string | undefined): Wrapper | undefined {
  return word === undefined ? undefined : WRAPPERS.get(programOf(word));
}

function placeBehind(words: readonly string[], from: number, wrapper: Wrapper): number | undefined {
  const { command, flags: known, values, operands = 0, sets, isBehindDashes } = wrapper;
  let at = from + 1;
  if (isBehindDashes === true) {
    const dashes = words.indexOf('--', at);
    return dashes === -1 ? undefined : dashes + 1;
  }
  // Options may stand on both sides of the command.
  let isOpen = command !== undefined;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      if (isOpen) return undefined;
      at++;
      break;
    }
    if (values?.test(word) === true) at++;
    else if (known?.test(word) === true) continue;
    else if (word.startsWith('-')) return undefined;
    else if (isOpen && command?.test(word) === true) isOpen = false;
    else if (sets !== true || !word.includes('=')) break;
  }
  // `env -- A=b codex`.
  if (sets === true) while (/^[^/]*=/.test(words[at] ?? '')) at++;
  return isOpen && wrapper.needsNoCommand !== true ? undefined : at + operands;
}
