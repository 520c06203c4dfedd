import { CLIENTS } from '../../clients/clients.ts';
import { addGlobalFlags } from '../argv.ts';
import type { ArgDef, TableEntry } from '../command.ts';

/** Kinds of words that a shell can complete. `servers`: names of servers, which the script asks clawai for. */
export type Values = 'any' | 'files' | 'folders' | 'servers' | readonly string[];

export interface CompletedFlag {
  readonly name: string;
  readonly letter: string | undefined;
  readonly description: string;
  /** Undefined for a switch. */
  readonly values: Values | undefined;
}

export interface CompletedCommand {
  /** `policy test`; empty for clawai itself; or the first words of some, such as `policy`. */
  readonly name: string;
  readonly flags: readonly CompletedFlag[];
  /** Words between the flags, and the next words of longer commands with their summaries. */
  readonly words: Values;
  readonly next: readonly (readonly [word: string, summary: string])[];
}

/** Every command with its flags, clawai itself first; old names are left out. Loads all commands. */
export async function describeCommands(table: readonly TableEntry[]): Promise<readonly CompletedCommand[]> {
  const shown = table.filter(({ movedTo }) => movedTo === undefined);
  const names = new Set(shown.flatMap(({ name }) => name.split(' ').map((_, i, words) => words.slice(0, i).join(' '))));
  for (const { name } of shown) names.add(name);
  return Promise.all(
    [...names].map(async (name) => {
      const entry = shown.find((each) => each.name === name);
      const command = entry === undefined ? undefined : addGlobalFlags(await entry.load());
      const flags = Object.entries(command?.args ?? {}).map(([flag, def]) => toFlag(flag, def));
      const help = { name: 'help', letter: 'h', description: 'Print what it is for, and its flags.', values: undefined };
      const options = command?.words?.options ?? valuesOf(command?.words?.hint ?? '');
      return { name, flags: [...flags, help], words: options, next: nextWords(shown, name) };
    }),
  );
}

function nextWords(shown: readonly TableEntry[], name: string): CompletedCommand['next'] {
  const next = new Map<string, string>();
  const start = name === '' ? '' : `${name} `;
  for (const entry of shown) {
    if (!entry.name.startsWith(start)) continue;
    const [word = '', ...more] = entry.name.slice(start.length).split(' ');
    if (!next.has(word)) next.set(word, more.length === 0 ? entry.summary : `Commands: clawai help ${start}${word}.`);
  }
  if (name === '') next.set('help', 'Say more about a command.');
  return [...next];
}

function toFlag(name: string, def: ArgDef): CompletedFlag {
  const { description } = def;
  const letter = def.type === 'enum' ? undefined : def.letter;
  if (def.type === 'boolean') return { name, letter, description, values: undefined };
  return { name, letter, description, values: def.type === 'enum' ? def.options : valuesOf(def.hint, name) };
}

/** Tells the kind of a value by its hint in help. */
function valuesOf(hint: string, flag = ''): Values {
  if (hint.startsWith('FILE')) return 'files';
  if (hint === 'DIR') return 'folders';
  if (hint === 'CLIENT') return CLIENTS.map(({ id }) => id);
  const isServer = flag === 'server' && hint !== 'URL';
  return isServer || hint.startsWith('SERVER') ? 'servers' : 'any';
}
