import { basename } from 'node:path';

/** The name of the program that a command starts, in small letters and without what Windows puts behind it. @param command as it was typed */
export function programOf(command: string): string {
  return basename(command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|ps1)$/, '');
}

/** Agents by the names of their programs, and of the packages that have them. */
const AGENTS: ReadonlyMap<string, string> = new Map([
  ...'amp auggie claude codex copilot cursor-agent droid gemini kiro-cli'.split(' ').map((name) => [name, name] as const),
  ['cursor', 'cursor-agent'],
  ['@anthropic-ai/claude-agent-sdk', 'claude'],
  ['@anthropic-ai/claude-code', 'claude'],
  ['claude_agent_sdk', 'claude'],
  ['@openai/codex', 'codex'],
  ['@github/copilot', 'copilot'],
  ['@google/gemini-cli', 'gemini'],
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
  const direct = agentOf(words[0] ?? '');
  return new Set(direct === undefined ? launchWords(words).flatMap((word) => agentOf(word) ?? []) : [direct]);
}

/** Those of them that are no mere arguments of another program: of a script, or of an option that chooses a model (`aider --model claude`). */
export function surelyStarted(words: readonly string[]): ReadonlySet<string> {
  const direct = agentOf(words[0] ?? '');
  if (direct !== undefined) return new Set([direct]);
  const started = launchWords(words);
  const script = started.findIndex((word) => SCRIPT.test(word) && agentOf(word) === undefined);
  const sure = started.slice(0, script === -1 ? started.length : script);
  return new Set(sure.flatMap((word, at) => (CHOOSES.test(sure[at - 1] ?? '') ? [] : (agentOf(word) ?? []))));
}

function agentOf(word: string): string | undefined {
  // A package's version, and the file that it is started by.
  const named = word.replaceAll('\\', '/').replace(/(?<=.)@[^/]*$/, '');
  const byPackage = [...AGENTS].find(([name]) => name.startsWith('@') && (named === name || named.includes(`/${name}/`)));
  return byPackage?.[1] ?? AGENTS.get(programOf(named));
}
