import { basename } from 'node:path';

/** The name of the program that a command starts, in small letters and without what Windows puts behind it. @param command as it was typed */
export function programOf(command: string): string {
  return basename(command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:exe|cmd|ps1)$/, '');
}

/** Agents by the names of their programs, and of the packages that have them. */
const AGENTS: ReadonlyMap<string, string> = new Map([
  ...['claude', 'codex', 'copilot', 'cursor-agent', 'gemini'].map((name) => [name, name] as const),
  ['@anthropic-ai/claude-agent-sdk', 'claude'],
  ['@anthropic-ai/claude-code', 'claude'],
  ['claude_agent_sdk', 'claude'],
  ['@openai/codex', 'codex'],
  ['@github/copilot', 'copilot'],
  ['@google/gemini-cli', 'gemini'],
]);

/** Programs that are told lines to run. */
const SHELLS = /^(?:(?:a|ba|c|da|fi|k|tc|xon|z)?sh|cmd|nu|powershell|pwsh|script)$/;

/** Others that are told lines as well; as an argument, the name of one says nothing. */
const LINE_STARTERS = /^(?:nix-shell|parallel|runuser|screen|ssh|su|tmux|watch|zellij)$/;

/** Programs that start another one, which they are told by their arguments. */
const STARTERS =
  /^(?:arch|bunx?|busybox|bwrap|caffeinate|chronic|chrt|command|conda|corepack|deno|devbox|direnv|doas|docker|doppler|dotenv|dotenvx|dumb-init|env|exec|firejail|flatpak|fnm|hatch|ionice|mamba|mise|nice|nix|node|nohup|npm|npx|op|perf|pipx|pixi|pnpm|pnpx|podman|poetry|prlimit|proxychains4?|python[\d.]*|rye|setpriv|setsid|stdbuf|strace|sudo|systemd-run|taskset|time|timeout|tini|torsocks|tsx|unshare|uvx?|volta|xargs|yarn)$/;

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

function agentOf(word: string): string | undefined {
  // A package's version, and the file that it is started by.
  const named = word.replaceAll('\\', '/').replace(/(?<=.)@[^/]*$/, '');
  const byPackage = [...AGENTS].find(([name]) => name.startsWith('@') && (named === name || named.includes(`/${name}/`)));
  return byPackage?.[1] ?? AGENTS.get(programOf(named));
}
