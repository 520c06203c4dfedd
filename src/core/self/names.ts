import { nameWords } from '../shell/command-names.ts';

/** Words in the names of arguments and tools, and their meaning for the texts in them. */
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

export function isContentName(name: string): boolean {
  return nameWords(name).some((word) => CONTENT.has(word));
}

export function isPathName(name: string): boolean {
  return PATH.test(name);
}

/** Tells whether an argument of this name is the destination in a tool that moves. */
export function isDestinationName(name: string): boolean {
  return nameWords(name).some((word) => DESTINATION.has(word));
}

/** Tells whether a tool of this name only shows what is there. */
export function isReadingTool(name: string): boolean {
  const words = nameWords(name);
  return words.some((word) => READING.has(word)) && !words.some((word) => CHANGING.has(word));
}

/** Tells whether a tool of this name removes the file that this argument names, or puts another in its place. */
export function takesFile(tool: string, argument: string): boolean {
  const words = nameWords(tool);
  if (words.some((word) => TAKING.has(word))) return true;
  return words.some((word) => COPYING.has(word)) && !nameWords(argument).some((word) => ORIGINAL.has(word));
}

export function isRemovingTool(name: string): boolean {
  return nameWords(name).some((word) => REMOVING.has(word));
}

export function isRemovingProgram(word: string): boolean {
  const name = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  // `make clean`, `npm run clean`: what they clean is their own.
  return name !== 'clean' && REMOVING.has(name);
}
