import { quoteWord } from '../shell/quote-word.ts';
import type { Call } from '../call.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Reading } from '../match/reading.ts';
import { foldPath } from '../paths/path-forms.ts';
import { joinBeside, joinWords } from '../shell/command-line.ts';
import { isCommandName, isCommandTool, isShellName } from '../shell/command-names.ts';
import { readCommand, wordsToRun } from '../shell/command-words.ts';
import { isSettingsVariable, maySwitchHooksOff, switchesHooksOff } from './agent-starts.ts';
import { endsClawai, isChangingCommand, isClawai, runsChange } from './clawai-commands.ts';
import { isContentName, isPathName } from './names.ts';
import type { OwnPaths } from './own-paths.ts';

/** The parts of a call that are compared with clawai's own files and commands. */
export interface Suspects {
  /** Texts that may be paths as a whole, each with the name of its argument. */
  readonly paths: Map<string, string>;
  /** Texts that are run, and whether it is a POSIX shell that runs them. */
  readonly commands: Map<string, boolean>;
  /** Folders, as texts, that commands are told to run in. */
  readonly folders: Set<string>;
  /** True if a command of clawai is run that changes anything, its processes are ended, or an agent is started without its hooks. */
  runsChange: boolean;
}

/** JSON deeper than this is refused before, or nobody's honest argument. */
const MAX_DEPTH = 128;

/** Longer texts are no command lines, unless the tool or the argument is said to run them. */
const LONGEST_LINE = 1024;

/** Signs of a path. A text without them can only be the name of a file. */
const PATH_SIGN = /[/\\~$%:]/;

/** No file system has longer names (NAME_MAX is 255 bytes). */
const LONGEST_NAME = 255;

/** A web address that does not climb: as a path it would lie in a folder called `https:`. */
const WEB_ADDRESS = /^https?:\/\/(?!.*(?:\.\.|%))/is;

interface Walk {
  readonly to: Suspects;
  readonly own: OwnPaths;
  readonly reading: Reading;
  readonly tool: string | undefined;
  /** The tool runs texts. */
  readonly isRun: boolean;
}

/**
 * Looks through a call: its resource, also what a template comes to, and arguments, at any depth, keys too, and inside of texts that are
 * JSON. Linear in the call.
 */
export function findSuspects(call: Call, reading: Reading, own: OwnPaths): Suspects {
  const to: Suspects = { paths: new Map(), commands: new Map(), folders: new Set(), runsChange: false };
  for (let about: Call | undefined = call; about !== undefined; about = about.like) {
    if (about.resource !== undefined) to.paths.set(about.resource, 'uri');
  }
  if (call.args === undefined) return to;
  const walk: Walk = { to, own, reading, tool: call.tool, isRun: call.tool !== undefined && isCommandTool(call.tool) };
  visitObject(walk, call.args, { isInText: false, depth: 0 });
  return to;
}

interface Position {
  readonly isInText: boolean;
  readonly depth: number;
}

function visit(walk: Walk, node: JsonValue, name: string, at: Position): void {
  if (typeof node === 'string') visitText(walk, node, name, at);
  else if (typeof node !== 'object' || node === null || at.depth > MAX_DEPTH) return;
  else if (Array.isArray(node)) {
    visitWords(walk, node, name);
    const line = walk.isRun || isCommandName(name) ? joinWords(node, quoteWord) : undefined;
    if (line !== undefined) visitCommand(walk, line, walk.reading.paths.platform !== 'windows');
    for (const element of node) visit(walk, element, name, { ...at, depth: at.depth + 1 });
  } else if (isJsonObject(node)) visitObject(walk, node, { ...at, depth: at.depth + 1 });
}

function visitObject(walk: Walk, node: JsonObject, at: Position): void {
  for (const key in node) {
    if (!Object.hasOwn(node, key)) continue;
    if (mayBePath(walk, key, '')) walk.to.paths.set(key, '');
    // `{ "command": "codex", "env": { "CODEX_HOME": … } }`
    if (walk.isRun && isSettingsVariable(key)) walk.to.runsChange = true;
    visit(walk, node[key] ?? null, key, at);
  }
  visitSiblings(walk, node);
  for (const key in node) {
    const line = Object.hasOwn(node, key) ? joinBeside(node, key, quoteWord) : undefined;
    if (line !== undefined) visitCommand(walk, line, walk.reading.paths.platform !== 'windows');
  }
}

function visitText(walk: Walk, text: string, name: string, at: Position): void {
  const { to } = walk;
  if (mayBePath(walk, text, name)) addPath(to, text, name);
  const isPatch = PATCH.test(text) && /patch/i.test(walk.tool ?? '');
  if ((walk.isRun || isCommandName(name)) && !isPatch) {
    visitCommand(walk, text, walk.reading.paths.platform !== 'windows' && isShellName(name, walk.tool));
  } else if (text.length <= LONGEST_LINE && !to.runsChange && MAY_RUN_CLAWAI.test(text)) {
    // If an argument is not said to be run, only a text counts that is a command line from its first word on.
    if (!text.trim().includes('\n') && !isContentName(name))
      to.runsChange = wordsToRun(readCommand(text, false)).some(isChangingCommand);
  }
  if (/^(?:base|cwd|dir|directory|folder|parent|path|root|work)/i.test(name) || /cwd|dir$|directory$/i.test(name))
    to.folders.add(text);
  const inner = at.isInText ? undefined : walk.reading.container(text);
  if (inner !== undefined) visit(walk, inner, name, { isInText: true, depth: at.depth + 1 });
}

function visitCommand({ to }: Walk, text: string, isShell: boolean): void {
  to.commands.set(text, isShell);
  if (!to.runsChange && mayRunUs(text)) to.runsChange = runsUs(text, isShell);
}

/** Signs that clients and models put around a path: quotes, white space, `@`, a line number, a query. */
const DRESSED = /^[\s"'`@<]|[\s"'`>]$|[?#,]|:\d/;

/** A URI of a scheme of a program's own, with or without a host. */
const URI = /^(?!file:|https?:)[a-z][a-z\d+.-]*:\/\/[^/]*(?=\/)/i;

/** Codex's hook gets a patch as a `command`; nothing runs it. */
const PATCH = /^\s*\*\*\* Begin Patch\r?\n/;

/** Lines in which patches name files. */
const PATCHED =
  /^[^\S\n]*(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to):|(?:---|\+\+\+) (?:[ab]\/)?|(?:rename|copy) (?:from|to) )(.+)$/gm;

function addPath({ paths }: Suspects, text: string, name: string): void {
  paths.set(text, name);
  if (text.includes('\n')) for (const [, file = ''] of text.matchAll(PATCHED)) paths.set(file.trim(), 'file');
  if (text.length > LONGEST_LINE) return;
  if (URI.test(text)) paths.set(text.replace(URI, '').replace(/^\/+/, '/'), name);
  if (!DRESSED.test(text)) return;
  const bare = text.replace(/^[\s"'`@<]+|[\s"'`>]+$/g, '');
  for (const each of [bare, bare.replace(/[?#].*$/s, ''), bare.replace(/(?::\d+)+$/, ''), ...bare.split(',')]) {
    if (each !== '') paths.set(each, name);
  }
}

/** Characters that may stand between the letters of a name. */
const BETWEEN = String.raw`["'\\\n[\]]*`;

/** The letters of clawai, or of what runs it out of a clone, in a row, whatever quotes, backslashes or brackets are between them. */
const MAY_RUN_CLAWAI = new RegExp(['clawai', 'from-clone'].map((name) => [...name].join(BETWEEN)).join('|'), 'i');

/** A line that gives a value to a variable may put the name together. */
const GIVES_VALUE = /(?:^|[\s;&|])(?:[A-Za-z_]\w*\+?=|for\s|read\s)/;

function mayRunUs(text: string): boolean {
  return MAY_RUN_CLAWAI.test(text) || maySwitchHooksOff(text) || (text.includes('$') && GIVES_VALUE.test(text));
}

function runsUs(text: string, isShell: boolean): boolean {
  const command = readCommand(text, isShell);
  if (wordsToRun(command).some((words) => runsChange(words) || switchesHooksOff(words, words === command.loose))) return true;
  return command.lines.some((line) => endsClawai(line.map(({ words }) => words.map((word) => word.text))));
}

/** `["clawai", "unwrap"]`: a list that is a command line, one word each. */
function visitWords(walk: Walk, list: readonly JsonValue[], name: string): void {
  if (walk.to.runsChange || list.length < 2) return;
  const words = list.filter((element) => typeof element === 'string');
  if (!words.some(isClawai)) return;
  walk.to.runsChange = walk.isRun || isCommandName(name) ? runsChange(words) : isChangingCommand(words);
}

/** `{ "command": "clawai", "args": ["unwrap"] }`: a command line in two parts. */
function visitSiblings(walk: Walk, node: JsonObject): void {
  if (walk.to.runsChange) return;
  const isStart = (value: JsonValue): value is string =>
    typeof value === 'string' && value.length <= LONGEST_LINE && MAY_RUN_CLAWAI.test(value);
  const isStarting = (value: JsonValue): boolean => isStart(value) || (Array.isArray(value) && value.some(isStart));
  if (!Object.values(node).some(isStarting)) return;
  const words: string[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (!isCommandName(key) && !/^(?:file|bin|binary|name|path|params|flags|options)$/i.test(key)) continue;
    for (const each of Array.isArray(value) ? (value as readonly JsonValue[]) : [value]) {
      if (typeof each === 'string' && each.length <= LONGEST_LINE) words.push(...(wordsToRun(readCommand(each, false))[0] ?? []));
    }
  }
  // The order in the object says nothing.
  const program = words.findIndex(isClawai);
  if (program !== -1) walk.to.runsChange = runsChange([...words.slice(program), ...words.slice(0, program)]);
}

/**
 * Tells whether the whole text may be a path to clawai's own files. A text without any sign of a path can be one by its own name only, or
 * if a link of its name lies in the server's folder, which is looked up if the argument is for paths.
 */
function mayBePath({ own, reading }: Walk, text: string, name: string): boolean {
  if (text === '' || WEB_ADDRESS.test(text)) return false;
  if (PATH_SIGN.test(text) || !text.isWellFormed()) return true;
  if (text.length > LONGEST_NAME) return false;
  const { platform } = reading.paths;
  if (platform === 'windows' || isPathName(name)) return true;
  return own.names.has(foldPath(text.normalize('NFC'), platform));
}
