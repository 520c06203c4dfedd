import { suggestName } from '../suggest.ts';
import { COMMANDS } from './command-table.ts';
import type { ArgDef, Command, TableEntry } from './command.ts';
import { wrapWords } from './terminal/text.ts';

/** Columns of help where the terminal does not say how many it has, and the bounds between which it is read with ease. */
const WIDTH = { unknown: 80, least: 60, most: 100 } as const;

/** Columns of what is explained; a longer label has a line of its own. */
const MOST_LEFT = 28;

/** Purposes of commands that share a first word. */
const GROUPS: Readonly<Record<string, string>> = {
  dlp: 'Find secrets in files:',
  log: 'Print what was recorded; also',
  policy: 'Work on policies:',
  mcp: 'Servers:',
  service: 'Start clawai serve at login:',
};

/** The width of help on this stream. */
export function helpWidth(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  const columns = stream.isTTY === true ? (stream.columns ?? 0) : 0;
  return columns === 0 ? WIDTH.unknown : Math.max(WIDTH.least, Math.min(WIDTH.most, columns));
}

/**
 * `clawai --help`, one line for each first word under its heading; with a `group`, each command whose name starts with it. Old names are
 * left out, unless the group has no others. Ends with a newline.
 */
export function formatOverview(group: string, width: number): string {
  const inGroup = COMMANDS.filter(({ name }) => group === '' || name === group || name.startsWith(`${group} `));
  const shown = inGroup.filter(({ movedTo }) => movedTo === undefined);
  if (group !== '') {
    const entries = shown.length > 0 ? shown : inGroup;
    const rows = entries.map(({ name, summary, movedTo }): Row => [name, movedTo === undefined ? summary : oldName(movedTo)]);
    const head = [`usage: clawai ${group} COMMAND [FLAGS]`, '', 'commands:'];
    return toText([...head, ...formatRows(rows, width), '', '`clawai help COMMAND` says more about one.']);
  }
  const lines = wrapWords('Decides what an AI agent may do with its tools. usage: clawai COMMAND [FLAGS]', width);
  let hint = ' (`clawai help COMMAND` says more about one)';
  const firstWords = new Map(shown.toReversed().map((entry) => [entry.name.split(' ')[0] ?? '', entry]));
  const left = Math.max(...[...firstWords.keys()].map((word) => word.length));
  for (const [heading, words] of Map.groupBy([...firstWords.keys()].toReversed(), (word) => firstWords.get(word)?.heading)) {
    const rows = words.map((word): Row => [
      word.padEnd(left),
      GROUPS[word] === undefined ? summaryOf(word) : describeGroup(word, shown),
    ]);
    lines.push(`${heading}${hint}:`, ...formatRows(rows, width));
    hint = '';
  }
  return toText(lines);
}

/**
 * `clawai COMMAND --help`: usage, flags, notes, exit codes and examples; only what can't be broken, such as an example, may be wider than
 * `width`. Ends with a newline.
 */
export function formatHelp({ name, movedTo }: Pick<TableEntry, 'name' | 'movedTo'>, command: Command, width: number): string {
  const { meta, args, words, rest } = command;
  const required = Object.entries(args).flatMap(([flag, def]) => (isRequired(def) ? [` ${formatFlag(flag, def)}`] : []));
  const tail = rest === undefined ? '' : rest.isOptional === true ? ` [-- ${rest.hint}]` : ` -- ${rest.hint}`;
  const between = words === undefined ? '' : words.isRequired === true ? ` ${words.hint}` : ` [${words.hint}]`;
  const blocks: string[][] = [
    wrapWords(meta.description, width),
    wrapWords(`usage: clawai ${meta.name}${between}${required.join('')} [FLAGS]${tail}`, width),
  ];
  if (movedTo !== undefined) blocks.unshift(wrapWords(describeMove(name, movedTo, meta.name === movedTo), width));
  const rows = Object.entries(args).map(([flag, def]): Row => [formatFlag(flag, def), describe(def)]);
  if (words !== undefined) rows.unshift([words.hint, words.description]);
  if (rest !== undefined) rows.push([`-- ${rest.hint}`, rest.description]);
  rows.push(['--help, -h', 'Print this help.']);
  blocks.push(['flags:', ...formatRows(rows, width)]);
  for (const note of meta.notes ?? []) blocks.push(wrapWords(note, width));
  const codes = Object.entries({ 0: 'done', ...meta.exitCodes, 2: meta.exitCodes?.['2'] ?? 'it could not be done' });
  blocks.push(['exit codes:', ...formatRows(codes, width)]);
  if (meta.examples !== undefined) blocks.push(['examples:', ...meta.examples.map((line) => `  ${line}`)]);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

type Row = readonly [label: string, text: string];

function summaryOf(name: string): string {
  return COMMANDS.find((entry) => entry.name === name)?.summary ?? '';
}

function describeGroup(first: string, shown: readonly TableEntry[]): string {
  const seconds = new Set(shown.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(' ')[1]] : [])));
  return `${GROUPS[first]} ${[...seconds].join(', ')}.`;
}

function oldName(movedTo: string): string {
  return `The old name of clawai ${movedTo}.`;
}

function describeMove(name: string, movedTo: string, isSame: boolean): string {
  if (isSame) return `\`clawai ${name}\` is the old name of \`clawai ${movedTo}\` and still works.`;
  return `\`clawai ${movedTo}\` replaces \`clawai ${name}\`, which still works.`;
}

/** Two columns, the second one wrapped under itself. */
function formatRows(rows: readonly Row[], width: number): string[] {
  const fitting = rows.map(([label]) => label.length).filter((length) => length <= MOST_LEFT);
  const left = Math.max(0, ...fitting) + 4;
  return rows.flatMap(([label, text]) => {
    const lines = wrapWords(text, width - left).map((line) => ' '.repeat(left) + line);
    if (label.length > left - 4) return [`  ${label}`, ...lines];
    return lines.map((line, i) => (i === 0 ? `  ${label}`.padEnd(left) + line.slice(left) : line));
  });
}

function formatFlag(name: string, def: ArgDef): string {
  const letter = def.type === 'enum' || def.letter === undefined ? '' : `, -${def.letter}`;
  if (def.type === 'boolean') return `--${name}${letter}`;
  return `--${name}${letter} ${def.type === 'string' ? def.hint : isLong(def) ? name.toUpperCase() : def.options.join('|')}`;
}

function isLong(def: ArgDef): boolean {
  return def.type === 'enum' && def.options.join('|').length > MOST_LEFT;
}

function describe(def: ArgDef): string {
  const options = def.type === 'enum' && isLong(def) ? ` One of ${def.options.join(', ')}.` : '';
  return `${def.description}${options}${isRequired(def) ? ' Required.' : ''}`;
}

function isRequired(def: ArgDef): boolean {
  return def.type !== 'boolean' && def.required === true;
}

function toText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** Words of other programs, and names of flags, for what is called otherwise here. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['allow', 'approve'],
  ['audit', 'log'],
  ['block', 'deny'],
  ['calls', 'log --calls'],
  ['check', 'policy lint'],
  ['compare', 'policy replay --against'],
  ['completions', 'completion'],
  ['denied', 'log --denied'],
  ['detections', 'log --detections'],
  ['diff', 'policy replay --against'],
  ['events', 'log'],
  ['fixtures', 'policy test'],
  ['follow', 'log -f'],
  ['format', 'policy fmt'],
  ['history', 'log'],
  ['install', 'wrap'],
  ['list', 'status'],
  ['logs', 'log'],
  ['ls', 'status'],
  ['pending', 'approvals'],
  ['queue', 'approvals'],
  ['reject', 'deny'],
  ['scan', 'mcp inspect'],
  ['servers', 'status'],
  ['setup', 'init'],
  ['start', 'run'],
  ['tail', 'log -f'],
  ['trust', 'approve'],
  ['uninstall', 'unwrap'],
  ['validate', 'policy lint'],
  ['why', 'policy explain'],
]);

/** The command that these words most likely mean; of more than three, only the first three count. Undefined where none is near. */
export function suggestCommand(words: readonly string[]): string | undefined {
  const [first = '', second] = words;
  const isInGroup = second !== undefined && COMMANDS.some(({ name }) => name.startsWith(`${first} `));
  const ofGroup = ELSEWHERE.get(second?.toLowerCase() ?? '');
  if (isInGroup && ofGroup?.startsWith(`${first} `) === true) return ofGroup;
  const isKnown = isInGroup ? undefined : (ELSEWHERE.get(first.toLowerCase()) ?? endingIn(first));
  if (isKnown !== undefined) return isKnown;
  const tried = [3, 2, 1].map((count) => nameLike(words.slice(0, count).join(' ')));
  // `clawai policy nonsense` is told of the group's own commands by its help, not that `policy` is meant.
  const meant = tried.find((name) => name !== undefined && name !== first);
  return meant ?? endingIn(suggestName(isInGroup ? second : first, lastWords()) ?? '');
}

/** `policy lint` for `lint`. */
function endingIn(word: string): string | undefined {
  return shownNames().find((name) => name.split(' ').slice(1).includes(word));
}

/** A command, a group of commands, or an old name for one, that is nearly spelt so. */
function nameLike(typed: string): string | undefined {
  const groups = shownNames().flatMap((name) => name.split(' ').map((_, i, all) => all.slice(0, i + 1).join(' ')));
  const name = suggestName(typed, [...new Set([...groups, ...COMMANDS.map((entry) => entry.name)])]);
  return COMMANDS.find((entry) => entry.name === name)?.movedTo ?? name;
}

function lastWords(): readonly string[] {
  return [...new Set(shownNames().flatMap((name) => name.split(' ').slice(1)))];
}

function shownNames(): readonly string[] {
  return COMMANDS.filter(({ movedTo }) => movedTo === undefined).map(({ name }) => name);
}
