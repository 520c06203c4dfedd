import { ClawaiError, EXIT } from '../errors.ts';
import { defineCommand } from './command.ts';
import { findPresentPolicy } from './find-present-policy.ts';
import { findStore } from './open-store.ts';
import { printable } from './printable.ts';
import { VERSION } from './version.ts';

/** `clawai version`: which clawai this is, and what it goes by here. */
export const versionCommand = defineCommand({
  meta: {
    name: 'version',
    description: 'Print the version, and which policy and store are in use: what a report of a mistake needs.',
    notes: ['`clawai --version` prints the version alone.'],
    examples: ['clawai version', 'clawai version --json'],
  },
  args: { json: { type: 'boolean', description: 'Print one JSON object; what is not there, or not to be found, is null.' } },
  async run({ flags }) {
    const found = await findOrSay(() => findPresentPolicy(undefined));
    const store = await findOrSay(() => findStore(undefined));
    const policy = 'why' in found ? found : found.file;
    const isShipped = 'kind' in found && found.kind === 'shipped';
    const { node } = process.versions;
    const platform = `${process.platform}-${process.arch}`;
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ version: VERSION, node, platform, policy: pathOf(policy), policy_is_shipped: isShipped, store: pathOf(store) }, undefined, 2)}\n`
        : formatRows({
            clawai: VERSION,
            node,
            platform,
            policy: `${tell(policy)}${isShipped ? ' (shipped)' : ''}`,
            store: tell(store),
          }),
    );
    return EXIT.ok;
  },
});

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
