import type { ShellCommand } from './shell-line.ts';

/** They look for a text in files, print one, or keep one: what they are given is not run. */
const SEARCHERS = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag']);
const PRINTERS = new Set(['echo', 'printf']);
const KEEPERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['commit', 'grep', 'log', 'show', 'tag'])],
  ['gh', new Set(['issue', 'pr', 'release', 'search'])],
  ['glab', new Set(['issue', 'mr', 'release'])],
]);

/** Options with which those programs run others: `rg --pre`, `git grep --open-files-in-pager`, `ag --pager`. Long ones may be cut short. */
const RUNNING_OPTION = /^(?:-O|--(?:pre(?:=|$)|pre-g|pager|hostname-bin|o(?!nly|r$|neline)|ext))/;

/** What they get as a text, or from a pipe, they run, or have others run. */
const RUNNERS =
  /^(?:(?:ba|z|da|k|mk|fi|c|tc|a)?sh|busybox|eval|exec|ssh|su|sudo|doas|xargs|parallel|env|nohup|setsid|python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk)$/;

/** These too, where they are the program; as other words they are names like others. */
const PROGRAMS =
  /^(?:source|\.|at|batch|crontab|tmux|screen|expect|script|watch|command|builtin|time|timeout|nice|stdbuf|sed|ed|ex|vim?|nvim|emacs|make|trap|alias|export|declare|nc|ncat|socat)$|^\$|^~?\.{0,2}\/|^\w+\+?=/;

/** May stand before the program. */
const BEFORE = new Set(['do', 'then', 'else', '{', '!', 'if', 'while', 'until']);

/** Only these may stand beside a printer: what it prints may be written somewhere, and run from there. */
const TAME = new Set('cat cd cut echo egrep false fgrep fold git grep head ls mkdir nl printf pwd rg tail tr true wc'.split(' '));

/** Nobody runs what is in these; a shell's start-up file, or a script, may get the same words. */
const DOCUMENT = /\.(?:md|markdown|txt|rst|adoc|html|log)$|^\/dev\/(?:null|stdout|stderr|tty)$|^\d$/i;

/**
 * Those commands of a shell's line whose words are only looked for, printed or kept, whatever they say: `git commit -m "…"`, `rg '…'`.
 * Empty where something in the line may run what others say.
 */
export function findSaid(text: string, commands: readonly ShellCommand[]): ReadonlySet<ShellCommand> {
  const said = new Set<ShellCommand>();
  // What they print may be part of a command.
  if (/`|\$\(|[<>]\(/.test(text)) return said;
  if (commands.some(({ redirected }) => !redirected.every((file) => DOCUMENT.test(file.text)))) return said;
  const used = commands.filter(({ words }) => words.length > 0);
  for (const command of used) if (isSaid(command)) said.add(command);
  const others = used.filter((command) => !said.has(command));
  if (others.some(mayRunTexts)) return new Set();
  const areTame = others.every(({ words }) => TAME.has(words[0]?.text ?? ''));
  for (const command of areTame ? [] : said) if (PRINTERS.has(command.words[0]?.text ?? '')) said.delete(command);
  return said;
}

function isSaid({ words }: ShellCommand): boolean {
  const [program = '', ...rest] = words.map(({ text }) => text);
  if (rest.some((word) => RUNNING_OPTION.test(word))) return false;
  if (PRINTERS.has(program) || SEARCHERS.has(program)) return true;
  return KEEPERS.get(program)?.has(rest[0] ?? '') === true;
}

/** A program that is named by a path or a variable may be any. */
function mayRunTexts({ words }: ShellCommand): boolean {
  const texts = words.map(({ text }) => text);
  if (PROGRAMS.test(texts.find((text) => !BEFORE.has(text)) ?? '')) return true;
  return texts.some((text) => RUNNERS.test(text.slice(text.lastIndexOf('/') + 1)));
}
