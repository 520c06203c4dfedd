import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProgram } from '../../approval/find-program.ts';
import type { AgentPlace } from './claude-settings.ts';
import { programOf } from './program-name.ts';
import { programPlace } from './program-place.ts';

/** Agents by the names of their programs, and of the packages that have them. */
const AGENTS: ReadonlyMap<string, string> = new Map([
  ...'amp auggie claude codex copilot crush cursor-agent droid gemini goose kiro-cli opencode qwen'
    .split(' ')
    .map((name) => [name, name] as const),
  ['cursor', 'cursor-agent'],
  ['@anthropic-ai/claude-agent-sdk', 'claude'],
  ['@anthropic-ai/claude-code', 'claude'],
  ['claude_agent_sdk', 'claude'],
  ['@openai/codex', 'codex'],
  ['@github/copilot', 'copilot'],
  ['@charmland/crush', 'crush'],
  ['@google/gemini-cli', 'gemini'],
  ['@qwen-code/qwen-code', 'qwen'],
  ['opencode-ai', 'opencode'],
]);

/** Programs that are told lines to run. */
const SHELLS = /^(?:(?:a|ba|c|da|fi|k|tc|xon|z)?sh|cmd|concurrently|eval|expect|hyperfine|nu|osascript|powershell|pwsh|script)$/;

/** Others that are told lines as well; as an argument, the name of one says nothing. */
const LINE_STARTERS = /^(?:nix-shell|parallel|runuser|screen|ssh|su|tmux|watch|zellij)$/;

/** Programs that start another one, which they are told by their arguments. */
const STARTERS =
  /^(?:arch|asciinema|asdf|aws-vault|builtin|bunx?|busybox|bwrap|caffeinate|catchsegv|cgexec|chamber|chpst|chronic|chroot|chrt|command|conda|corepack|deno|devbox|devcontainer|direnv|distrobox|doas|docker|docker-compose|doppler|dotenv|dotenvx|dumb-init|entr|env|exec|find|firejail|flatpak|flock|fnm|gdb|gh|go|gosu|hatch|infisical|ionice|kubectl|linux32|linux64|ltrace|lua|machinectl|mamba|mise|nice|nix|node|nodemon|nohup|npm|npx|nsenter|numactl|nvm|op|pdm|perf|perl|php|pipenv|pipx|pixi|pnpm|pnpx|podman|poetry|prlimit|proxychains4?|python[\d.]*|rlwrap|rtx|ruby|rye|s6-setuidgid|setarch|setpriv|setsid|snap|stdbuf|strace|su-exec|sudo|systemd-run|taskset|teller|time|timeout|tini|toolbox|torsocks|toybox|tsx|ttyd|unbuffer|unshare|uvx?|valgrind|volta|watchexec|winpty|wsl|xargs|yarn)$/;

/** A script, behind which the words are its own. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|go|lua|php|pl|py|rb)$/i;

/** Options of other agents for the model that they ask, or for one that they start. */
const CHOOSES = /^--?(?:agent|backend|engine|llm|m|model|provider)$/i;

/** Options by which `env` is told a line, as a shell is. */
const LINE_OPTION = /^(?:-[0v]*S|--split-string=?)/;

/**
 * The words behind a program that starts others, with those of the lines that shells are told. Quotes are gone, and so is what ends a command.
 * None for a program that is no such one: its words are its own.
 */
export function launchWords([command = '', ...args]: readonly string[]): readonly string[] {
  const program = programOf(command);
  let isLine = SHELLS.test(program) || LINE_STARTERS.test(program);
  if (!isLine && !STARTERS.test(program)) return [];
  const words = [program];
  for (const arg of args) {
    isLine ||= LINE_OPTION.test(arg);
    if (!isLine) words.push(arg);
    else {
      const line = arg.replace(LINE_OPTION, '').replaceAll(/=(["'])([^"'\s]*)\1/g, '=$2');
      words.push(...line.split(/[\s;&|()'"`]+/).filter((word) => word !== ''));
    }
    isLine ||= SHELLS.test(programOf(arg));
  }
  return words;
}

/**
 * The agents that a command starts, as far as its words tell: by itself, or through what starts it (`env A=b claude`, `npx @openai/codex`,
 * `sh -c 'cd x && gemini'`). The first word is a command as it was typed. Of a command that is none of these, nobody knows.
 */
export function agentsIn(words: readonly string[]): ReadonlySet<string> {
  const direct = placedAgent(words);
  return new Set(direct === undefined ? launchWords(words).flatMap((word) => agentOf(word) ?? []) : [direct]);
}

/** The agents that are surely started: no arguments of a script, nor of an option that chooses a model (`aider --model claude`). */
export function surelyStarted(words: readonly string[]): ReadonlySet<string> {
  const direct = placedAgent(words);
  if (direct !== undefined) return new Set([direct]);
  const started = launchWords(words);
  const script = started.findIndex((word) => SCRIPT.test(word) && agentOf(word) === undefined);
  const sure = started.slice(0, script === -1 ? started.length : script);
  return new Set(sure.flatMap((word, at) => (CHOOSES.test(sure[at - 1] ?? '') ? [] : (agentOf(word) ?? []))));
}

/** The agent that stands where a command names its program. */
function placedAgent(words: readonly string[]): string | undefined {
  return agentOf(words[programPlace(words) ?? words.length] ?? '');
}

/** The program of Codex as it is released for each platform, by its name. */
const CODEX_RELEASE = /^codex-(?:x86_64|aarch64|arm64)-[\w-]+$/;

/** The agent that a word is the name of: its program, its package, or a file of that. No value of a variable or an option is one. */
export function agentOf(word: string): string | undefined {
  if (/^(?:\$env:|--?)?[\w-]+=/i.test(word)) return undefined;
  // A package's version, and the file that it is started by.
  const named = word.replaceAll('\\', '/').replace(/(?<=.)@[^/]*$/, '');
  const byPackage = [...AGENTS].find(([name]) => name.startsWith('@') && (named === name || named.includes(`/${name}/`)));
  // Another package may end alike.
  return byPackage?.[1] ?? (named.startsWith('@') ? undefined : AGENTS.get(programOf(named).replace(CODEX_RELEASE, 'codex')));
}

/** Bytes of a script. What is longer is a program. */
const MOST = 256 * 1024;

/** Scripts that are followed, one from the other. */
const MOST_SCRIPTS = 3;

const PACKAGE_RUNNER = /^(?:bun|npm|pnpm|yarn)$/;
const SHELL = /^(?:(?:ba|da|fi|k|z)?sh|nu|\.|source)$/;
const SHELL_LINE = /^#!.*\b(?:(?:ba|da|fi|k|z)?sh|nu)\b/;

/** Files with what programs run that are told the name of a task. */
const TASK_FILES: readonly (readonly [programs: RegExp, files: readonly string[]])[] = [
  [/^(?:b|g|p)?make$/, ['GNUmakefile', 'makefile', 'Makefile']],
  [/^just$/, ['justfile', 'Justfile', '.justfile']],
  [/^(?:go-)?task$/, ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml']],
  [/^deno$/, ['deno.json', 'deno.jsonc']],
  [/^(?:hatch|pdm|pixi|poe|poetry|rye|uv)$/, ['pyproject.toml', 'pixi.toml']],
  [/^(?:mise|rtx)$/, ['mise.toml', '.mise.toml']],
  [/^rake$/, ['Rakefile']],
  [/^(?:foreman|hivemind|honcho|overmind)$/, ['Procfile']],
  [
    /^(?:docker|docker-compose|podman|podman-compose)$/,
    ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
  ],
  [/^nix$/, ['flake.nix']],
  [/^(?:lerna|moon|nx|turbo|wireit)$/, ['package.json']],
];

/** Texts that scripts in other languages name, and a package of Python's. */
const NAMED = /(?<=["'`])[\w@./-]+(?=["'`\s])|\bclaude_agent_sdk\b/g;

type Place = Pick<AgentPlace, 'cwd' | 'env'>;

/**
 * The command with what its script says in the script's place: a script of a shell, one of `package.json`, or one in another language that names
 * an agent. A program that is an agent under another name has that agent's. What is none of these, or starts an agent by its words, stays as it
 * is. Never throws.
 */
export function openScripts(words: readonly string[], place: Place): readonly string[] {
  let opened = words;
  for (let count = 0; count < MOST_SCRIPTS && agentsIn(opened).size === 0; count++) {
    const next = openOne(opened, place);
    if (next === undefined) break;
    opened = next;
  }
  return opened;
}

function openOne(command: readonly string[], place: Place): readonly string[] | undefined {
  const launching = launchWords(command);
  const tasks = taskLines(command[0] ?? '', place);
  if (tasks !== undefined) return ['sh', '-c', tasks];
  // A program that starts no other is the first word, and the rest is its own.
  const words = launching.length === 0 ? command.slice(0, 1) : launching;
  for (const [at, word] of words.entries()) {
    if (word.startsWith('-') || (launching.length > 0 && at === 0)) continue;
    const before = words.slice(0, at).filter((each) => !each.startsWith('-'));
    const script = before.some((each) => PACKAGE_RUNNER.test(programOf(each))) ? packageScript(word, place) : undefined;
    const lines = script ?? fileScript(word, before, place);
    if (lines === undefined) continue;
    // A command that runs as somebody else does not, as a rule, start the agent.
    const plain = lines.replaceAll(/^\s*#.*$/gm, '').replaceAll(/\b(?:sudo|doas)\b/g, '');
    return [...words.slice(0, at), 'sh', '-c', plain];
  }
  return undefined;
}

/** The lines of all tasks, where one of them starts an agent: which it is that is asked for, every program tells in its own way. */
function taskLines(command: string, { cwd }: Place): string | undefined {
  const program = programOf(command);
  const files = TASK_FILES.find(([programs]) => programs.test(program))?.[1] ?? [];
  const text = files.map((file) => readText(join(cwd, file))).find((each) => each !== undefined);
  const plain = text?.replaceAll(/^\s*(?:#|\/\/).*$/gm, '');
  return plain !== undefined && agentsIn(['sh', '-c', plain]).size > 0 ? plain : undefined;
}

function packageScript(name: string, { cwd }: Place): string | undefined {
  try {
    const { scripts } = JSON.parse(readText(join(cwd, 'package.json')) ?? '') as { scripts?: Readonly<Record<string, unknown>> };
    const script = scripts !== undefined && Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof script === 'string' ? script : undefined;
  } catch {
    // The package.json can't be read.
    return undefined;
  }
}

/** @param before words without options */
function fileScript(word: string, before: readonly string[], { cwd, env }: Place): string | undefined {
  const isProgram = before.length === 0 && !/[/\\]/.test(word);
  const file = realFile(isProgram ? findProgram(word, env['PATH'] ?? '') : resolve(cwd, word));
  if (file === undefined) return undefined;
  const [agent] = agentsIn([file]);
  if (agent !== undefined) return agent;
  const text = readText(file);
  if (text === undefined || text.includes('\0')) return undefined;
  if (SHELL_LINE.test(text) || word.endsWith('.sh') || SHELL.test(programOf(before.at(-1) ?? ''))) return text;
  const agents = new Set([...text.matchAll(NAMED)].flatMap(([name]) => [...agentsIn([name])]));
  return agents.size === 0 ? undefined : [...agents].join(' ');
}

function realFile(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : realpathSync(file);
  } catch {
    // The file is missing.
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    const found = statSync(file);
    return found.isFile() && found.size <= MOST ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // The file can't be read.
    return undefined;
  }
}

type Environment = Readonly<NodeJS.ProcessEnv>;

/** A variable that is set, for `env` and in the lines of shells; PowerShell has its own word for it. */
const SETS = /^(?:\$env:)?([a-z_]\w*)=(.*)$/is;

/** Options that leave out variables, by the program that has them. `unset` has none: every name behind it is one. */
const REMOVES: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0iv]*u|--unset[= ]) ?(\w+)$/,
  unset: /^([a-z_]\w*)$/i,
};

/** Options that leave out all of them. */
const CLEARS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-|-[0v]*i.*|--ignore-environment)$/,
  exec: /^-[al]*c/,
};

/** Programs that leave out all of them unless they are told otherwise. */
const CLEARING = /^(?:sudo|doas|systemd-run)$/;
const KEEPS = /^(?:-\w*E|--preserve-env.*|--scope)$/;

/**
 * The environment that a command gives to what it starts, as far as its words tell (`env -i A=b claude`, `sh -c 'A=b claude'`). Where it starts
 * several programs, what counts for one counts for those behind it.
 */
export function launchEnvironment(command: readonly string[], env: Environment): Environment {
  const words = launchWords(command);
  let after = new Map(Object.entries(env));
  let starter = '';
  for (const [at, word] of words.entries()) {
    const program = programOf(word);
    if (program === 'unset' || program === 'env' || program === 'exec') starter = program;
    if (CLEARS[starter]?.test(word) === true || (CLEARING.test(program) && !words.some((other) => KEEPS.test(other))))
      after = new Map();
    // The name is a word of its own, or part of the option.
    const before = words[at - 1] ?? '';
    const removed = REMOVES[starter]?.exec(word) ?? (starter === 'env' ? REMOVES['env']?.exec(`${before} ${word}`) : undefined);
    after.delete(removed?.[1] ?? '');
    const [, name = '', value = ''] = SETS.exec(word) ?? [];
    // A value that is made of itself leads where it did.
    if (name !== '' && !new RegExp(`[$%]\\{?${name}\\b`).test(value)) after.set(name, value);
  }
  return Object.fromEntries(after);
}
