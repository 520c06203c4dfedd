/** The programs of agents, by the last part of a word. */
const AGENT =
  /^(?:claude(?:-code)?|codex|gemini(?:-cli)?|copilot|cursor-agent|opencode(?:-ai)?|kiro-cli|qchat)(?:@.*)?(?:\.(?:exe|cmd|ps1|[cm]?js))?$/i;

/** Matches a file of an agent's package: `node …/@openai/codex/bin/codex.js`. */
const PACKAGE =
  /(?:@anthropic-ai[/\\]claude-code|@openai[/\\]codex|@google[/\\]gemini-cli|@github[/\\]copilot|opencode-ai)(?:[/\\@]|$)/i;

/** Variables by which agents find their settings, or do without hooks. */
const OF_AGENTS =
  'CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:SIMPLE|SAFE_MODE)|CODEX_HOME|COPILOT_HOME|GEMINI_CLI_(?:HOME|SYSTEM_\\w+|TRUST\\w*)|OPENCODE_(?:CONFIG\\w*|PURE)|CURSOR_CONFIG_DIR|KIRO_HOME';

/** Variables of all programs by which agents find their settings, or a hook finds its policy or its code. */
const OF_ALL = 'CLAWAI_\\w+|HOME|USERPROFILE|APPDATA|XDG_CONFIG_(?:HOME|DIRS)|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES';

const SETS_OWN = new RegExp(`^(?:\\$env:)?(?:${OF_AGENTS})\\+?(?:[=:]|$)`, 'i');
const SETS_ANY = new RegExp(`^(?:\\$env:)?(?:${OF_AGENTS}|${OF_ALL})\\+?(?:[=:]|$)`, 'i');
const SETS_IN_A_FILE = new RegExp(
  `(?:^|[\\s;&{,(])["']?(?:\\$env:)?(?:${OF_AGENTS}|${OF_ALL.replace('HOME|USERPROFILE|APPDATA|XDG_CONFIG_(?:HOME|DIRS)|', '')})["']?\\s*(?:\\+?=|:)`,
);
const IS_OWN = new RegExp(`^(?:${OF_AGENTS})$`);

/** Matches words that set a variable for later programs. */
const SETTER = /^(?:export|declare|typeset|set|setx|setenv|set-environment|readonly|local|unset)$/i;

/** Programs of which a text may start another program in any way. */
const LANGUAGE = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|[gm]?awk|osascript|pwsh|powershell)(?:\.exe)?$/i;

const ASSIGNMENT = /^\w+\+?=/;

/** Programs that get a line to run, with the variables that they have. */
const SHELL = /^(?:(?:ba|z|da|k|fi|a)?sh|eval|su|tmux|screen|script|watch|parallel)$/;

/** Words that separate commands in a list of words, and that may stand before a program. */
const NEXT_COMMAND = ';';
const BEFORE =
  /^(?:-.*|\w+\+?=.*|--|;|do|then|else|if|while|until|!|\{|\d+[smh]?|(?:.*[/\\])?(?:npx|npm|pnpm|pnpx|yarn|bunx?|deno|node(?:js)?|env|sudo|doas|exec|x|dlx|run|time|timeout|nice|nohup|setsid|command|builtin|xargs|corepack|stdbuf|caffeinate|script|tmux|screen|new|new-session|start|alias))$/i;

/** A setting that switches all hooks off: in JSON, in a path of `jq`, as an assignment. */
const NO_HOOKS = /disableAllHooks["'\\\]\s]*(?::|=(?!=))\s*["']?(?:true|1|!)/i;

/** The letters of an agent's name, whatever quotes or backslashes are between them. */
const NAMES_AGENT = new RegExp(
  ['claude', 'codex', 'gemini', 'copilot', 'cursor-agent', 'opencode', 'kiro-cli']
    .map((name) => [...name].join(`["'\\\\\\n]*`))
    .join('|'),
  'i',
);

/** Tells quickly whether a text may hold what `switchesHooksOff` finds. */
export function maySwitchHooksOff(text: string): boolean {
  return NAMES_AGENT.test(text) || /disableAllHooks|bypass-hook-trust/i.test(text) || /[A-Z]{4}_(?:CO|HO|CL)/.test(text);
}

/**
 * Tells whether these words, with `;` between commands, start an agent without its hooks, of which clawai may be one, or with other settings than
 * the user's, or write the setting for that. What a file says that an agent is started with is not read.
 *
 * @param isLoose the words are pieces of a text that is cut at quotes and brackets
 */
export function switchesHooksOff(words: readonly string[], isLoose = false): boolean {
  if (words.some((word) => word === '--dangerously-bypass-hook-trust' || NO_HOOKS.test(word))) return true;
  const commands = toCommands(words);
  if (commands.some(setsForLater)) return true;
  const isCode = words.some((word) => LANGUAGE.test(toName(word)));
  const isMoved = words.some((word, at) => SETS_ANY.test(word) && (word.includes('=') || isCode || isSetter(words[at - 1])));
  return commands.some((command) => {
    if (isMoved && command.some((word) => SHELL.test(toName(word))) && command.some(runsAgent)) return true;
    // The words behind the first name of an agent include those behind a later one.
    const seen = new Set<string>();
    return command.some((word, at) => {
      const agent = agentOf(word);
      if (agent === undefined || seen.has(agent)) return false;
      const isStarted = seen.size === 0 && command.slice(0, at).every((each) => BEFORE.test(each) || SETS_ANY.test(each));
      seen.add(agent);
      return leavesHooks(agent, command.slice(at + 1), isLoose) || (isMoved && (isCode || isStarted));
    });
  });
}

/** Tells whether a file with this text gives a program other settings, code or hooks by its variables, or starts an agent so. */
export function setsVariables(text: string): boolean {
  return SETS_IN_A_FILE.test(text);
}

/** Tells whether a variable of this name leads an agent to other settings. */
export function isSettingsVariable(name: string): boolean {
  return IS_OWN.test(name);
}

function agentOf(word: string): string | undefined {
  const name = toName(word);
  if (AGENT.test(name)) return name.replace(/[@.].*$/s, '').toLowerCase();
  return PACKAGE.exec(word)?.[0].toLowerCase();
}

/** Tells whether a program of this name runs texts in another language than the shell's. */
export function isLanguage(name: string): boolean {
  return LANGUAGE.test(name);
}

/** Tells whether a word is a line that may start an agent. */
function runsAgent(word: string): boolean {
  return /\s/.test(word) && word.split(/[\s;&|()]+/).some((each) => agentOf(each) !== undefined);
}

function toName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
}

/** Tells whether a word before a variable sets it, or takes it away. */
function isSetter(word: string | undefined): boolean {
  return word !== undefined && (SETTER.test(word) || /^-(?:u|g?x|-unset)$/.test(word));
}

function toCommands(words: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === NEXT_COMMAND) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands;
}

/** Tells whether a command sets such a variable for all that comes later, and not only for the program behind it. */
function setsForLater(command: readonly string[]): boolean {
  let before = '';
  for (const word of command) {
    if (SETS_OWN.test(word) && (SETTER.test(before) || word.startsWith('$'))) return true;
    if (!ASSIGNMENT.test(word) && !word.startsWith('-')) before = word;
  }
  // `X=$(…) program` comes in two commands.
  return command.some((word) => SETS_OWN.test(word)) && command.every((word) => ASSIGNMENT.test(word) && !word.endsWith('=$'));
}

/** Tells whether an agent leaves out hooks, or the settings that have them, with these words. */
function leavesHooks(agent: string, words: readonly string[], isLoose: boolean): boolean {
  if (/claude/.test(agent)) {
    if (words.includes('config') && words.some((word) => /^disableAllHooks/i.test(word))) return true;
    if (words.includes('--bare') || words.includes('--safe-mode')) return true;
    return (
      valuesOf(words, ['--setting-sources']).some((sources) => !/\buser\b/.test(sources)) ||
      valuesOf(words, ['--settings', '--managed-settings']).some((settings) => mayLeaveHooks(settings, isLoose))
    );
  }
  if (/codex/.test(agent)) {
    if (words.includes('--ignore-user-config')) return true;
    if (words.some((word, at) => word === 'disable' && words[at - 1] === 'features' && /hooks/.test(words[at + 1] ?? '')))
      return true;
    if (valuesOf(words, ['--disable']).some((feature) => /hooks|[$`]/.test(feature))) return true;
    return valuesOf(words, ['-c', '--config']).some((set) => /^[^=]*(?:hooks|\$|`)|^\s*["']?features["']?\s*=.*hooks/s.test(set));
  }
  if (/copilot/.test(agent)) return valuesOf(words, ['--config-dir']).length > 0;
  return /opencode/.test(agent) && words.includes('--pure');
}

/** Tells whether settings may be against hooks. Those in a file are not known. */
function mayLeaveHooks(settings: string, isLoose: boolean): boolean {
  const isFile = isLoose ? /[/\\]|\.json$/.test(settings) : !settings.trim().startsWith('{');
  return isFile || /hooks|[$`]/i.test(settings) || setsVariables(settings);
}

/** The values of a flag: `--flag value`, `--flag=value`, and `-fvalue` of a short one. */
function valuesOf(words: readonly string[], flags: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const flag = flags.find((each) => word.startsWith(each));
    if (flag === undefined) return [];
    if (word === flag) return [words[at + 1] ?? ''];
    if (word[flag.length] === '=') return [word.slice(flag.length + 1)];
    return flag.startsWith('--') ? [] : [word.slice(flag.length)];
  });
}
