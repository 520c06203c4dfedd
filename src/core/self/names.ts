import { remember } from '../remember.ts';

/** Words in the names of arguments and tools, and their meaning for the texts in them. */

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

const CONTENT = new Set(
  'answer body caption comment content contents data description diff document explanation fact facts html input markdown md memories memory message messages new note notes observation observations old patch pattern prompt q query question rationale reason reasoning replacement search string subject summary text thought thoughts title topic'.split(
    ' ',
  ),
);

/** Parts of names whose texts may be names of files even if they have no slash. */
const PATH = /path|file|dir|folder|src|source|dest|target|ur[il]|root|link|location|document|cwd/i;

/** Words of tools that show, and of those that change something; a tool with words of both changes it. */
const READING = new Set(
  'analyze cat check count describe diff explain fetch find get glob grep head inspect lint list lookup ls open query read scan search show stat tail validate view'.split(
    ' ',
  ),
);
const CHANGING = new Set(
  'add append apply copy create delete edit insert make modify move multi patch put remove rename replace save set store str update upload write'.split(
    ' ',
  ),
);

/** Words of tools that take a file away, or put another in its place. */
const TAKING = new Set('delete del move mv remove rename rm trash unlink'.split(' '));

/** Words of tools that make a file like another, and of the arguments that name the other one. */
const COPYING = new Set('clone copy cp duplicate link ln symlink'.split(' '));
const ORIGINAL = new Set('from old origin original source src'.split(' '));

const DESTINATION = new Set(['dest', 'destination', 'to', 'target', 'new']);

/** Verbs that remove whatever lies below the folder they are applied to. */
const REMOVING = new Set(
  'chmod chown clean del delete erase mv move purge rd remove rename rm rmdir shred trash unlink wipe'.split(' '),
);

export function isCommandName(name: string): boolean {
  return MAY_BE_COMMAND.test(name) && toWords(name).some((word) => COMMAND.has(word));
}

/** Tells whether a tool of this name runs texts, whatever the argument is called that has them. */
export function isCommandTool(name: string): boolean {
  if (!MAY_BE_COMMAND.test(name)) return false;
  const words = toWords(name);
  const isHandling = words.some((word) => HANDLING.has(word));
  return words.some((word) => COMMAND.has(word) && !(isHandling && THINGS.has(word)));
}

/** Tells whether a shell, and nothing else, runs the text of an argument of this name in this tool. */
export function isShellName(name: string, tool = ''): boolean {
  const words = [...toWords(name), ...toWords(tool)];
  return words.some((word) => SHELL.has(word)) && !words.some((word) => LANGUAGE.has(word));
}

export function isContentName(name: string): boolean {
  return toWords(name).some((word) => CONTENT.has(word));
}

export function isPathName(name: string): boolean {
  return PATH.test(name);
}

/** Tells whether an argument of this name is the destination in a tool that moves. */
export function isDestinationName(name: string): boolean {
  return toWords(name).some((word) => DESTINATION.has(word));
}

/** Tells whether a tool of this name only shows what is there. */
export function isReadingTool(name: string): boolean {
  const words = toWords(name);
  return words.some((word) => READING.has(word)) && !words.some((word) => CHANGING.has(word));
}

/** Tells whether a tool of this name removes the file that this argument names, or puts another in its place. */
export function takesFile(tool: string, argument: string): boolean {
  const words = toWords(tool);
  if (words.some((word) => TAKING.has(word))) return true;
  return words.some((word) => COPYING.has(word)) && !toWords(argument).some((word) => ORIGINAL.has(word));
}

export function isRemovingTool(name: string): boolean {
  return toWords(name).some((word) => REMOVING.has(word));
}

export function isRemovingProgram(word: string): boolean {
  const name = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  // `make clean`, `npm run clean`: what they clean is their own.
  return name !== 'clean' && REMOVING.has(name);
}

/** `runCommand`, `run_command` and `run-command` are `run` and `command`. */
const toWords = remember(
  (name): readonly string[] =>
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z\d]+/),
  { most: 256, longest: 64 },
);
