import type { ProcessInfo, ReadProcess } from './process-info.ts';

/** Ancestors that are looked at. */
const MOST_ANCESTORS = 64;

/** Programs that run commands for a model. Editors are none of them, since people have terminals in those. */
const AGENTS: ReadonlySet<string> = new Set(
  'aider amp claude codex copilot crush cursor-agent gemini goose opencode q qwen'.split(' '),
);

/** Their script is the program. */
const INTERPRETER = /^(?:node|nodejs|bun|deno|ruby|perl|python[\d.]*)$/;

/** The nearest ancestor that is an agent, or starts clawai's middlemen as the agent's client; undefined where there is none. */
export function findAgent(parent: number, readProcess: ReadProcess): ProcessInfo | undefined {
  let pid = parent;
  for (let looked = 0; looked < MOST_ANCESTORS && pid > 1; looked++) {
    const ancestor = readProcess(pid);
    if (ancestor === undefined) return undefined;
    if (isAgent(ancestor)) return ancestor;
    pid = ancestor.parent;
  }
  return undefined;
}

function isAgent({ name, words }: ProcessInfo): boolean {
  const program = programName(words[0] ?? '');
  if (AGENTS.has(program) || AGENTS.has(name)) return true;
  if (!INTERPRETER.test(program)) return false;
  return AGENTS.has(programName(words.slice(1).find((word) => !word.startsWith('-')) ?? ''));
}

/** `/usr/bin/claude` → `claude`, `gemini.js` → `gemini`. */
function programName(word: string): string {
  const file = word.split(/[\\/]/).at(-1) ?? '';
  return file.replace(/\.(?:[cm]?[jt]s|py|exe|cmd)$/i, '');
}
