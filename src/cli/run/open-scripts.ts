import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProgram } from '../../approval/find-program.ts';
import type { AgentPlace } from './claude-settings.ts';
import { agentsIn, launchWords, programOf } from './program-of.ts';

/** Bytes of a script. What is longer is a program. */
const MOST = 256 * 1024;

/** Scripts that are followed, one from the other. */
const MOST_SCRIPTS = 3;

const PACKAGE_RUNNER = /^(?:bun|npm|pnpm|yarn)$/;
const SHELL = /^(?:ba|da|k|z)?sh$/;
const SHELL_LINE = /^#!.*\b(?:ba|da|k|z)?sh\b/;

/** Texts that scripts in other languages name, and a package of Python's. */
const NAMED = /(?<=["'`])[\w@./-]+(?=["'`])|\bclaude_agent_sdk\b/g;

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

function packageScript(name: string, { cwd }: Place): string | undefined {
  try {
    const { scripts } = JSON.parse(readText(join(cwd, 'package.json')) ?? '') as { scripts?: Readonly<Record<string, unknown>> };
    const script = scripts !== undefined && Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof script === 'string' ? script : undefined;
  } catch {
    // There is none that could be read.
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
  if (SHELL_LINE.test(text) || SHELL.test(programOf(before.at(-1) ?? ''))) return text;
  const agents = new Set([...text.matchAll(NAMED)].flatMap(([name]) => [...agentsIn([name])]));
  return agents.size === 0 ? undefined : [...agents].join(' ');
}

function realFile(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : realpathSync(file);
  } catch {
    // It is not there.
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    const found = statSync(file);
    return found.isFile() && found.size <= MOST ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // It is not for us.
    return undefined;
  }
}
