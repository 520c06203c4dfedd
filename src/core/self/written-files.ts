import type { ShellCommand } from '../shell/shell-line.ts';
import { isLanguage } from './agent-starts.ts';
import { isHookFolder } from './hook-files.ts';

/** Signs that a program's text puts together what it writes. */
export const PUTS_TOGETHER =
  /["']\s*\+|\+\s*["']|join|chr\b|decode|fromhex|base64|atob|fromCharCode|\beval|\bexec|argv|environ|input|stdin|urlopen|fetch|requests|copy|rename|replace|move|link|remove|rmtree|%|\bf["']/;

/** Words before a program. */
const BEFORE =
  /^(?:-.*|\w+\+?=.*|do|then|else|if|while|until|!|\{|sudo|doas|env|command|builtin|nohup|time|exec|nice|xargs|busybox)$/;

/** Programs that print what stands in their line, and those that print nothing. */
const PRINTERS = new Set(['', 'echo', 'printf', 'tee', 'cd', 'mkdir', 'touch', 'true', ':', 'test', '[', 'set', 'chmod']);

/** Signs that an editor's script brings in other files, or runs something. */
const BRINGS_IN = /\bload|(?:^|\s)(?:-f|--file|--from-file|-s|-S)\b|(?:^|[;{}\d$/'"!\s])[rRe]\s+[\w./~]/;

const COPIERS = new Set(['cp', 'mv', 'install', 'rsync', 'scp', 'copy', 'move', 'copy-item', 'move-item', 'rename', 'sponge']);
const LINKERS = new Set(['ln', 'link', 'mklink', 'mount']);
const REMOVERS = new Set(['rm', 'unlink', 'shred', 'truncate', 'trash', 'del', 'remove-item', 'patch']);
const EDITORS = new Set([
  'sed',
  'gsed',
  'perl',
  'yq',
  'ed',
  'ex',
  'vi',
  'vim',
  'nvim',
  'emacs',
  'dasel',
  'json',
  'set-content',
  'add-content',
  'out-file',
]);

/** Matches what follows an option by which a program writes a file that it got elsewhere. */
const INTO = /^(?:-o|-O|--output(?:-document)?|of|--target-directory|-t)(?:=|$)/;

/** Files of another kind than variables, and what is known of the text that a command writes into them. */
interface Written {
  readonly word: string;
  /** True if nobody knows it, and false if it stands in the line. */
  readonly isUnknown: boolean;
}

/** Tells whether a command runs a text in another language than the shell's. */
export function runsLanguage({ words }: ShellCommand): boolean {
  return isLanguage(programOf(words.map((word) => word.text)).name);
}

/** The files that a command writes, replaces or takes away. */
export function writtenBy(
  { words, redirected }: ShellCommand,
  { line, isKnown }: { readonly line: string; readonly isKnown: boolean },
): readonly Written[] {
  const texts = words.map((word) => word.text);
  const into = redirected.filter(({ start }) => !/<\s*$/.test(line.slice(Math.max(0, start - 8), start)));
  const files = into.map(({ text: word }): Written => ({ word, isUnknown: !isKnown }));
  const { name, rest } = programOf(texts);
  const operands = rest.filter((word) => !word.startsWith('-'));
  const unknown = (found: readonly string[]): readonly Written[] => found.map((word) => ({ word, isUnknown: true }));
  const told = rest.flatMap((word, at) => {
    if (!INTO.test(word)) return [];
    const is = word.indexOf('=');
    return [is === -1 ? (rest[at + 1] ?? '') : word.slice(is + 1)];
  });
  if (COPIERS.has(name)) {
    const [target = '', ...others] = [...told, ...operands.slice(-1)];
    const from = name === 'mv' || name === 'move' ? operands : [];
    return [...files, ...unknown([target, ...others, ...from, ...copiedInto(target, operands.slice(0, -1), rest)])];
  }
  if (LINKERS.has(name)) return [...files, ...unknown(operands.flatMap((word) => [word, `${word}/settings.json`]))];
  if (REMOVERS.has(name)) return [...files, ...unknown(operands)];
  if (name === 'tee') return [...files, ...operands.map((word) => ({ word, isUnknown: !isKnown }))];
  if (EDITORS.has(name)) {
    const isUnknown = BRINGS_IN.test(line) || (name === 'perl' && PUTS_TOGETHER.test(line));
    return [...files, ...operands.map((word) => ({ word, isUnknown }))];
  }
  // A file of another commit is not known.
  if (
    name === 'git' &&
    /^(?:checkout|restore)$/.test(rest[0] ?? '') &&
    (rest.indexOf('--') > 1 || /(?:^|\s)(?:-s|--source)\b/.test(rest.join(' ')))
  )
    return [...files, ...unknown(operands)];
  return name === 'dd' || name === 'curl' || name === 'wget' ? [...files, ...unknown(told)] : files;
}

/** Tells whether all that a command prints stands in its line. */
export function isPrinter({ words, redirected }: ShellCommand, line: string): boolean {
  const { name, rest } = programOf(words.map((word) => word.text));
  if (redirected.some(({ start }) => /(?:^|[^<])<\s*$/.test(line.slice(Math.max(0, start - 8), start)))) return false;
  if (name === 'cat') return rest.every((word) => word.startsWith('-'));
  if (name === 'sed' || name === 'gsed' || name === 'perl') return rest.some((word) => /^-\w*i|^--in-place/.test(word));
  return PRINTERS.has(name);
}

/** Tells whether a command runs a program that writes, with words that were printed before. */
export function pipesIn({ words }: ShellCommand): boolean {
  if (!words.some(({ text }) => text === 'xargs' || text === 'parallel')) return false;
  const { name, rest } = programOf(words.map((word) => word.text));
  return [name, ...rest].some((word) => REMOVERS.has(word) || COPIERS.has(word) || EDITORS.has(word) || word === 'tee');
}

/** The paths at which copies come to lie in a folder of settings; what a copied folder holds is not known. */
function copiedInto(target: string, sources: readonly string[], words: readonly string[]): readonly string[] {
  if (!isHookFolder(`/${target.replace(/\/+\.?$/, '')}`)) return sources.map((source) => `${target}/${nameOf(source)}`);
  const isWhole = words.some((word) => /^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/.test(word));
  const isFolder = (source: string): boolean => /\/\.?$|[*]/.test(source) || !nameOf(source).slice(1).includes('.');
  return isWhole || sources.some(isFolder)
    ? [`${target}/settings.json`, `${target}/hooks.json`]
    : sources.map((source) => `${target}/${nameOf(source)}`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The program of a command, by its last name, and the words behind it. */
function programOf(words: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const at = words.findIndex((word) => !BEFORE.test(word));
  const word = words[at] ?? '';
  return {
    name:
      at === -1
        ? ''
        : nameOf(word)
            .replace(/\.exe$/i, '')
            .toLowerCase(),
    rest: at === -1 ? [] : words.slice(at + 1),
  };
}
