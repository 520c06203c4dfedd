import { remember } from '../remember.ts';

/** Words of names whose texts are run. */
const COMMAND = new Set(
  'args argv arguments bash cmd cmds cmdline code command commands commandline console eval exec execute executable keyboard keystrokes parameters program powershell pwsh python python3 repl run script scripts sh shell spawn terminal zsh'.split(
    ' ',
  ),
);

/** Words among those for what a POSIX shell runs, and for what another language's interpreter does. */
const SHELL = new Set('bash cmd cmdline command commandline commands console sh shell terminal zsh'.split(' '));
const LANGUAGE = new Set('code eval js node powershell program pwsh python python3 repl ruby script scripts'.split(' '));

/** A quick test before names are split into words, since most have nothing of it. */
const MAY_BE_COMMAND = /arg|sh|cmd|co|eval|exec|key|par|prog|py|repl|run|script|spawn|term/i;

/** A tool with one of these handles texts, also where they are code. */
const HANDLING = new Set(
  'add apply append comment commit create document edit find format get grep index insert lint list lookup patch read replace review save search show update view write'.split(
    ' ',
  ),
);

/** Words that are a thing as well as a deed; beside a word of handling they are the thing. */
const THINGS = new Set(['args', 'argv', 'code', 'command', 'commands', 'program', 'script', 'scripts', 'run']);

/** Tells whether the text of an argument of this name is run. */
export function isCommandName(name: string): boolean {
  return MAY_BE_COMMAND.test(name) && nameWords(name).some((word) => COMMAND.has(word));
}

/** Tells whether a tool of this name runs texts, whatever the argument is called that has them. */
export function isCommandTool(name: string): boolean {
  if (!MAY_BE_COMMAND.test(name)) return false;
  const words = nameWords(name);
  const isHandling = words.some((word) => HANDLING.has(word));
  return words.some((word) => COMMAND.has(word) && !(isHandling && THINGS.has(word)));
}

/** Tells whether a shell, and nothing else, runs the text of an argument of this name in this tool. */
export function isShellName(name: string, tool = ''): boolean {
  const words = [...nameWords(name), ...nameWords(tool)];
  return words.some((word) => SHELL.has(word)) && !words.some((word) => LANGUAGE.has(word));
}

/** `runCommand`, `run_command` and `run-command` are `run` and `command`. */
export const nameWords = remember(
  (name): readonly string[] =>
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z\d]+/),
  { most: 256, longest: 64 },
);
