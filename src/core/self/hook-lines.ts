import { readCommand } from '../shell/command-words.ts';
import { expandBraces } from '../shell/shell-pattern.ts';
import { HERE, placesOf } from '../shell/shell-places.ts';
import { addsPlugin, hookFileKind, mayChangeHooks, mayNameHookFile } from './hook-files.ts';
import { isPrinter, pipesIn, PUTS_TOGETHER, runsLanguage, writtenBy } from './written-files.ts';

/** In a program's text, the folder and the name may stand apart. */
const FOLDER =
  /\.(?:claude|gemini|codex|cursor|copilot|github|windsurf|opencode|vscode|kiro|clinerules)\b|managed-settings|opencode\.json/i;
const FILE =
  /settings(?:\.local)?\.json|hooks|(?:config|requirements)\.toml|opencode\.json|plugins?\b|\.env\b|extensions|agents/i;

/** Signs in a program's text that it writes. */
const WRITES =
  /write|dump|save|open\([^)]{0,256},\s*(?:mode\s*=\s*)?["'][rwaxb+]*[wax+]|replace|rename|move|copy|link|remove|truncate|>|rmtree/i;

/**
 * Tells whether a text that is run may change which hooks an agent has, in a file of settings.
 *
 * @param isShell the text goes to a POSIX shell
 * @param cwd the folder in which it runs
 */
export function lineChangesHooks(text: string, isShell: boolean, cwd: string): boolean {
  const bare = text.replaceAll(/["'\\]/g, '');
  if (!mayNameHookFile(bare) && !mayNameHookFile(cwd)) return false;
  const shape = withoutDocuments(text).replaceAll('>|', '>');
  const { lines, printed } = readCommand(shape, isShell);
  const isCode = !isShell || lines.length === 0 || lines.some((line) => line.some(runsLanguage));
  if (isCode && FOLDER.test(bare) && FILE.test(bare) && WRITES.test(text)) {
    const kind = hookFileKind(`/${FOLDER.exec(bare)?.[0] ?? ''}/${FILE.exec(bare)?.[0] ?? ''}`) ?? 'settings';
    if (mayChangeHooks(kind, text) || PUTS_TOGETHER.test(text)) return true;
  }
  const isPlain = !isExpanded(shape);
  return lines.some((line) => {
    const places = placesOf(line, HERE);
    const isKnown = isPlain && line.every((command) => isPrinter(command, shape));
    const change = (word: string, folders: readonly string[], isUnknown: boolean): boolean =>
      expandBraces(word).some((each) => folders.some((folder) => mayChange(toPath(each, folder, cwd), { text, isUnknown })));
    // A command before it names the files that `xargs` gets.
    if (line.some(pipesIn) && line.some(({ words }) => words.some(({ text: word }) => change(word, [cwd], true)))) return true;
    return line.some((command, at) => {
      if (printed.has(command)) return false;
      const folders = (places[at]?.folders ?? HERE).map((folder) => (folder === '' ? cwd : folder));
      return writtenBy(command, { line: shape, isKnown }).some(({ word, isUnknown }) => change(word, folders, isUnknown));
    });
  });
}

function mayChange(path: string, { text, isUnknown }: { readonly text: string; readonly isUnknown: boolean }): boolean {
  const kind = hookFileKind(path);
  if (kind === undefined) return false;
  if (isUnknown && kind !== 'variables') return true;
  return mayChangeHooks(kind, text) || addsPlugin(path, text);
}

const DOCUMENT = /<<-?[ \t]*(["']?)(\w+)\1[^\n]*\n/g;

/** Takes out the texts that a line gives as `<<EOF`; those in which a shell expands something leave a sign of it. Linear in the text. */
function withoutDocuments(text: string): string {
  let result = '';
  let from = 0;
  for (const { 0: head, 1: quote, 2: name = '', index } of text.matchAll(DOCUMENT)) {
    if (index < from) continue;
    const begin = index + head.length;
    const end = new RegExp(`^[ \\t]*${name}[ \\t]*$`, 'gm');
    end.lastIndex = begin;
    const found = end.exec(text);
    // An unclosed document is none, and neither are later ones.
    if (found === null) break;
    const isOpen = quote === '' && /[$`]/.test(text.slice(begin, found.index));
    result += text.slice(from, begin) + (isOpen ? '$document\n' : '');
    from = found.index + found[0].length;
  }
  return result + text.slice(from);
}

/** Tells whether a shell puts something into a line that does not stand there. */
function isExpanded(line: string): boolean {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '\\' && quote !== "'") at++;
    else if (quote !== '' && character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (quote !== "'" && (character === '`' || character === '$')) return true;
  }
  return false;
}

/** The absolute path of a word, without its `.` and `..`; a home or a variable stays at its begin. */
function toPath(word: string, folder: string, cwd: string): string {
  const isWhole = /^[/~$]|^[A-Za-z]:/.test(word);
  const base = /^[/~$]/.test(folder) ? folder : `${cwd}/${folder}`;
  const names: string[] = [];
  for (const name of (isWhole ? word : `${base}/${word}`).replaceAll('\\', '/').split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}
