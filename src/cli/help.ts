import { COMMANDS } from './command-table.ts';
import type { ArgDef, Command } from './command.ts';
import { wrapWords } from './wrap-words.ts';

const WIDTH = 80;

/** `clawai --help`: every command whose name starts with `group` (all without one), one line each, under its heading. Ends with a newline. */
export function formatOverview(group = ''): string {
  const commands = COMMANDS.filter((entry) => group === '' || entry.name.startsWith(`${group} `));
  const lines = [
    'Decides what an AI agent may do with its MCP servers.',
    '',
    `usage: clawai ${group === '' ? 'COMMAND' : `${group} COMMAND`} [FLAGS]`,
    '',
  ];
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const [heading, entries] of Map.groupBy(commands, (entry) => entry.heading)) {
    const rows = entries.map((entry): Row => [entry.name.padEnd(width), entry.summary]);
    lines.push(group === '' ? `${heading}:` : 'commands:', ...formatRows(rows), '');
  }
  if (group === '') {
    const flags: Row[] = [
      ['--version'.padEnd(width), 'Print the version.'],
      ['--help', 'Print this.'],
    ];
    lines.push('flags:', ...formatRows(flags), '');
  }
  lines.push('`clawai help COMMAND` says more about one.');
  return `${lines.join('\n')}\n`;
}

/** `clawai COMMAND --help`: usage, flags, notes and examples, at most 80 columns wide except for examples. Ends with a newline. */
export function formatHelp(command: Command): string {
  const { meta, args, words, rest } = command;
  const required = Object.entries(args).flatMap(([name, def]) => (isRequired(def) ? [` ${formatFlag(name, def)}`] : []));
  const tail = rest === undefined ? '' : rest.isOptional === true ? ` [-- ${rest.hint}]` : ` -- ${rest.hint}`;
  const between = words === undefined ? '' : ` [${words.hint}]`;
  const blocks: string[][] = [
    wrapWords(meta.description, WIDTH),
    [`usage: clawai ${meta.name}${between}${required.join('')} [FLAGS]${tail}`],
  ];
  const rows = Object.entries(args).map(([name, def]): Row => [formatFlag(name, def), describe(def)]);
  if (words !== undefined) rows.unshift([words.hint, words.description]);
  if (rest !== undefined) rows.push([`-- ${rest.hint}`, rest.description]);
  rows.push(['--help', 'Print this.']);
  blocks.push(['flags:', ...formatRows(rows)]);
  for (const note of meta.notes ?? []) blocks.push(wrapWords(note, WIDTH));
  if (meta.examples !== undefined) blocks.push(['examples:', ...meta.examples.map((line) => `  ${line}`)]);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

type Row = readonly [label: string, text: string];

/** Two columns, the second one wrapped under itself. */
function formatRows(rows: readonly Row[]): string[] {
  const left = Math.max(...rows.map(([label]) => label.length)) + 4;
  return rows.flatMap(([label, text]) =>
    wrapWords(text, WIDTH - left).map((line, i) => (i === 0 ? `  ${label}`.padEnd(left) : ' '.repeat(left)) + line),
  );
}

function formatFlag(name: string, def: ArgDef): string {
  if (def.type === 'boolean') return def.letter === undefined ? `--${name}` : `--${name}, -${def.letter}`;
  return `--${name} ${def.type === 'enum' ? def.options.join('|') : def.hint}`;
}

function describe(def: ArgDef): string {
  return isRequired(def) ? `${def.description} Required.` : def.description;
}

function isRequired(def: ArgDef): boolean {
  return def.type !== 'boolean' && def.required === true;
}
