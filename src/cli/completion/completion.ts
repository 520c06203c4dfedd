import { type ClawaiError, EXIT } from '../../errors.ts';
import { suggestName } from '../../suggest.ts';
import { type Command, defineCommand, type TableEntry, usageError } from '../command.ts';
import { readStandings } from '../wrap/wrap-standing.ts';
import { lookAround } from '../wrap/wrap-surroundings.ts';
import { describeCommands } from './describe-commands.ts';
import { fishScript, bashScript, zshScript } from './shells.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const NAMES = Object.keys(SHELLS);

/** `clawai completion`: what makes a shell complete the commands of a table, their flags and values. */
export function completionOf(table: readonly TableEntry[]): Command {
  return defineCommand({
    meta: {
      name: 'completion',
      description: 'Print a script with which a shell completes commands, flags, values and the names of your servers.',
      notes: [
        'bash: add `eval "$(clawai completion bash)"` to ~/.bashrc. zsh: run `clawai completion zsh > FOLDER/_clawai`, where FOLDER is one of $fpath. fish: run `clawai completion fish > ~/.config/fish/completions/clawai.fish`. For zsh and fish, run it again after an update.',
      ],
      examples: ['clawai completion bash'],
    },
    args: {},
    words: { isRequired: true, hint: 'SHELL', description: 'The shell: bash, zsh or fish.', options: NAMES },
    async run({ words }) {
      const [word = '', ...others] = words;
      // The scripts themselves ask for these; shown nowhere.
      if (word === 'servers' && others.length === 0) {
        process.stdout.write((await findServerNames()).map((name) => `${name}\n`).join(''));
        return EXIT.ok;
      }
      const format = Object.hasOwn(SHELLS, word) ? SHELLS[word as keyof typeof SHELLS] : undefined;
      if (format === undefined || others.length > 0) throw usage(word);
      process.stdout.write(format(await describeCommands(table)));
      return EXIT.ok;
    },
  });
}

function usage(word: string): ClawaiError {
  const meant = suggestName(word, NAMES);
  const hint =
    meant === undefined || meant === word
      ? `write clawai completion ${NAMES.join('|')}`
      : `did you mean clawai completion ${meant}?`;
  return usageError('clawai completion takes the name of one shell', hint);
}

/** Shells expand what they complete, and a project's config names servers as it likes: other characters are not offered. */
const HARMLESS = /^[A-Za-z0-9_][A-Za-z0-9_.@+-]*$/;

/** Names of the servers in the configs of all clients, each once; those that a shell might take for more than a name are left out. */
async function findServerNames(): Promise<readonly string[]> {
  const { files } = await readStandings(await lookAround());
  const names = files.flatMap((file) => file.servers.map(({ server }) => server));
  return [...new Set(names)].filter((name) => HARMLESS.test(name)).toSorted();
}
