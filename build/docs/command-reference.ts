import { addGlobalFlags } from '../../src/cli/argv.ts';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { formatHelp } from '../../src/cli/help.ts';

const WIDTH = 80;

const SHOWN = COMMANDS.filter(({ movedTo }) => movedTo === undefined);

/** Two columns for each command, under the headings of `clawai --help`. */
export function formatCommandTable(): string {
  const groups = [...Map.groupBy(SHOWN, ({ heading }) => heading)];
  const rows = groups.flatMap(([heading, entries]) =>
    entries.map(
      ({ name, summary }, index) =>
        `| ${index === 0 ? heading : ''} | [\`${name}\`](#${anchorOf(name)}) | ${escapeCell(summary)} |`,
    ),
  );
  return ['| | command | what it does |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The old names of commands, and the new ones. */
export function formatOldNames(): string {
  const rows = COMMANDS.flatMap(({ name, movedTo }) => (movedTo === undefined ? [] : [`| \`${name}\` | \`${movedTo}\` |`]));
  return ['| old | new |', '| --- | --- |', ...rows].join('\n');
}

/** The help of every command, each under a heading of its own. Reads all commands once, as they are loaded one by one. */
export async function readCommandHelp(): Promise<string> {
  const sections = await Promise.all(
    SHOWN.map(async (entry) => {
      const help = formatHelp(entry, addGlobalFlags(await entry.load()), WIDTH);
      return `### clawai ${entry.name}\n\n\`\`\`text\n${help}\`\`\``;
    }),
  );
  return sections.join('\n\n');
}

/** As GitHub makes one of a heading. */
function anchorOf(name: string): string {
  return `clawai-${name.replaceAll(' ', '-')}`;
}

export function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
