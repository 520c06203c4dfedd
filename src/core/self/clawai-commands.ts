/** Programs that end processes by a name. */
const BY_NAME = new Set(['pkill', 'killall', 'skill', 'taskkill', 'stop-process', 'spps']);
const KILLERS = new Set(['kill', ...BY_NAME]);

/** Programs that tell the numbers of processes by a name. */
const LISTERS = new Set(['pgrep', 'pidof', 'get-process', 'lsof', 'fuser']);

/** Commands of clawai that decide for a person, or change what clawai is or what it goes by. An agent may not have them run. */
export const CHANGING_COMMANDS: readonly string[] = [
  'init',
  'wrap',
  'unwrap',
  'serve',
  'service install',
  'service uninstall',
  'login',
  'logout',
  'approvals',
  'approve',
  'deny',
  'dashboard',
  'mcp approve',
  'policy fmt',
  'service notify',
];

/** Words right behind the name of a command with which it only shows what it would do. */
const LOOKING: ReadonlyMap<string, readonly string[]> = new Map([['policy fmt', ['--check', '--dry-run', '-', '--help', '-h']]]);

/** Names of such commands that this version does not have, and another one that is installed may. */
const CHANGING_ELSEWHERE = ['add', 'allow', 'deny', 'edit', 'remove', 'set'].map((name) => `policy ${name}`);

/**
 * Flags with which a command that only shows something otherwise changes the policy, or a word that a shell may still make one. `--allow`
 * asks a person at a terminal besides, so that its other arguments may have a `$`.
 */
const FIXING: ReadonlyMap<string, RegExp> = new Map([
  ['lint', /^["']?--fix\b|[$`]/],
  ['explain', /^["']?--allow\b/],
]);

const CHANGING: ReadonlySet<string> = new Set([...CHANGING_COMMANDS, ...CHANGING_ELSEWHERE]);

/**
 * `/usr/bin/clawai`, `clawai@latest`, `clawai.mjs`, `C:\x\clawai.cmd`, `!clawai` of an editor or an alias, `-Oclawai` of an option, and
 * `build/from-clone.mjs`, which is clawai out of a clone.
 */
const PROGRAM = /^(?:.*[/\\!]|npm:|-[A-Z])?(?:clawai(?:@[^/\\]*)?(?:\.(?:[cm]?js|cmd|exe|ps1))?|from-clone(?:\.mjs)?)$/i;

/** Programs that put others in place; with one of these words they put clawai away, or another in its place. */
const INSTALLERS = /^(?:npm|pnpm|yarn|bun|brew|volta)$/;
const INSTALLING = /^(?:add|ci|i|in|install|link|ln|r|remove|rm|un|uninstall|unlink|up|update|upgrade)$/;

/** Tells whether this word names the program. */
export function isClawai(word: string): boolean {
  return word.length >= 6 && PROGRAM.test(word);
}

/** Tells whether these words, wherever among them, run a command of clawai that changes anything. */
export function runsChange(words: readonly string[]): boolean {
  const isNamed = words.some(isClawai);
  for (const [at, word] of words.entries()) {
    // A variable may stand for the name, if that is among the words at all.
    if (!isNamed || !(isClawai(word) || word.startsWith('$'))) continue;
    if (
      isChange(words.slice(at + 1, at + 8)) ||
      isFix(words.slice(at + 1, at + 24)) ||
      isInstalling(words.slice(Math.max(0, at - 8), at))
    )
      return true;
  }
  return false;
}

/**
 * Tells whether this is a whole command line, or list of arguments, that changes anything. It has to begin with clawai or a program that
 * starts others: texts that speak of clawai in passing begin with something else.
 */
export function isChangingCommand(words: readonly string[]): boolean {
  const at = words.findIndex(isClawai);
  return at !== -1 && words.slice(0, at).every(isStarter) && runsChange(words);
}

const STARTER =
  /^(?:-.*|.+=.*|--|;|(?:.*[/\\])?(?:npx|npm|pnpm|pnpx|yarn|bunx?|deno|node(?:js)?|env|sudo|doas|exec|x|dlx|run|time|timeout|nice|nohup|setsid|command|xargs|corepack|(?:ba|z|da|k|fi|c)?sh|cmd|powershell|pwsh)(?:\.exe|\.cmd)?|\/c|\d+s?|\d*[<>]+.*)$/i;

function isStarter(word: string): boolean {
  return STARTER.test(word) || isClawai(word);
}

function isChange(after: readonly string[]): boolean {
  const [first = '', second = ''] = after.filter((word) => !isPassedOver(word)).map(toName);
  if (isLooking(after)) return false;
  return CHANGING.has(first) || CHANGING.has(`${first} ${second}`);
}

/** Tells whether a command only shows something, as it is usually written: words elsewhere may belong to another command. */
function isLooking([first, second, third = '']: readonly string[]): boolean {
  return LOOKING.get(`${first} ${second}`)?.includes(third) === true;
}

/** Tells whether a flag makes a command write that only looks without it: `clawai policy lint --fix` writes the policy. */
function isFix(after: readonly string[]): boolean {
  const [first, second] = after.filter((word) => !isPassedOver(word)).map(toName);
  const fixing = first === 'policy' ? FIXING.get(second ?? '') : undefined;
  return fixing !== undefined && after.some((word) => fixing.test(word));
}

/** Tells whether a word only stands before the command: `clawai -- unwrap`, `clawai $(echo unwrap)`. */
function isPassedOver(word: string): boolean {
  return word === '$' || word === 'echo' || word === 'printf' || word.startsWith('-') || isClawai(word);
}

function isInstalling(before: readonly string[]): boolean {
  return before.some((word) => INSTALLERS.test(word)) && before.some((word) => INSTALLING.test(word));
}

/** `unwrap,` and `unwrap.` in a text are `unwrap`. */
function toName(word: string): string {
  return word.replace(/[^A-Za-z]+$/, '').toLowerCase();
}

/**
 * Tells whether these commands of one line end processes that are called clawai: `kill $(pgrep clawai)`, `pkill -f clawai`,
 * `ps ax | grep [c]lawai | xargs kill`. Commands by other names, or by a number, are not found.
 */
export function endsClawai(commands: readonly (readonly string[])[]): boolean {
  const words = commands.flat().map(toProgramName);
  if (!words.some((word) => KILLERS.has(word))) return false;
  const isListing = words.includes('ps');
  return commands.some((command) => {
    if (!command.some(namesClawai)) return false;
    return isListing || command.some((word) => BY_NAME.has(toProgramName(word)) || LISTERS.has(toProgramName(word)));
  });
}

function toProgramName(word: string): string {
  return word
    .slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

/** Tells whether a word names clawai, also as an expression that does not find itself: `[c]lawai`. */
function namesClawai(word: string): boolean {
  return word.length <= 1024 && /clawai/i.test(word.replaceAll(/[[\]\\^$()?+*.'"]/g, ''));
}
