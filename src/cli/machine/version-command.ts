import { homedir } from 'node:os';
import { findFile } from '../../config/find-file.ts';
import { ClawaiError, EXIT } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import { findPresentPolicy } from './find-present-policy.ts';
import { note } from '../terminal/notes.ts';
import { findStore } from './open-store.ts';
import { printable } from '../terminal/text.ts';
import { VERSION } from './version.ts';

/** `clawai version`: which clawai this is, and what it goes by here. */
export const versionCommand = defineCommand({
  meta: {
    name: 'version',
    description: 'Print the version, and which policy and store are in use. Add this to a bug report.',
    notes: ['`clawai --version` prints the version alone.'],
    examples: ['clawai version', 'clawai version --json'],
  },
  args: { json: { type: 'boolean', description: 'Print one JSON object. What does not exist is null.' } },
  async run({ flags }) {
    const { policy, isShipped, store } = await findWhatCounts({});
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ version: VERSION, node, platform, policy: pathOf(policy), policy_is_shipped: isShipped, store: pathOf(store) }, undefined, 2)}\n`
        : formatRows({ clawai: VERSION, node, platform, policy: tellPolicy({ policy, isShipped }), store: tell(store) }),
    );
    return EXIT.ok;
  },
});

const { node } = process.versions;
const platform = `${process.platform}-${process.arch}`;

/** Notes what a command that has these flags goes by, for `--verbose`: what a person asks first where an answer is not the expected one. */
export async function noteWhatCounts(flags: Named): Promise<void> {
  const { policy, isShipped, store } = await findWhatCounts(flags);
  const config = await findOrSay(async () => {
    const found = findFile('config', {
      ...toFlag(flags['config']),
      env: process.env,
      platform: process.platform,
      home: homedir(),
    });
    return found.isThere ? found.file : 'none';
  });
  note(`version ${VERSION}, node ${node}, ${platform}`);
  note(printable(`config: ${tell(config)}`));
  note(printable(`policy: ${tellPolicy({ policy, isShipped })}`));
  note(printable(`store: ${tell(store)}`));
}

/** Flags of any command; those of these names name files. */
type Named = Readonly<Record<string, string | boolean | undefined>>;

function toFlag(value: Named[string]): { readonly flag: string | undefined } {
  return { flag: typeof value === 'string' ? value : undefined };
}

interface WhatCounts {
  readonly policy: string | NotFound;
  readonly isShipped: boolean;
  readonly store: string | NotFound;
}

async function findWhatCounts(flags: Named): Promise<WhatCounts> {
  const { flag } = toFlag(flags['policy']);
  // Stdin is read once, by the command.
  const found = flag === '-' ? { file: 'stdin' } : await findOrSay(() => findPresentPolicy(flag));
  const store = await findOrSay(() => findStore(toFlag(flags['config']).flag));
  const isShipped = 'kind' in found && found.kind === 'shipped';
  return { policy: 'why' in found ? found : found.file, isShipped, store };
}

function tellPolicy({ policy, isShipped }: Pick<WhatCounts, 'policy' | 'isShipped'>): string {
  return `${tell(policy)}${isShipped ? ' (shipped)' : ''}`;
}

interface NotFound {
  readonly why: string;
}

/** A faulty config or policy is no reason not to say which version this is. */
async function findOrSay<T>(find: () => Promise<T>): Promise<T | NotFound> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    return { why: error.message };
  }
}

function pathOf(found: string | NotFound): string | null {
  return typeof found === 'string' ? found : null;
}

function tell(found: string | NotFound): string {
  return typeof found === 'string' ? found : `none: ${found.why}`;
}

function formatRows(rows: Readonly<Record<string, string>>): string {
  return Object.entries(rows)
    .map(([name, text]) => `${name.padEnd(8)}  ${printable(text)}\n`)
    .join('');
}
