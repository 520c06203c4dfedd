import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ClawaiError, EXIT } from '../../errors.ts';
import { configDirectory, packageRoot } from '../../host/directories.ts';
import { defineCommand } from '../command.ts';
import { VERSION } from '../machine/version.ts';
import { warn } from '../terminal/notes.ts';
import { refuseAgents } from '../terminal/person.ts';
import { shortPath } from '../terminal/text.ts';
import { CONFIG_TEMPLATE, schemaLine, type SchemaState, writeSchemas } from './init-config.ts';

const POLICIES = ['default', 'strict', 'read-only', 'observe'] as const;
type PolicyName = (typeof POLICIES)[number];

/** `clawai init`: a policy and a config of the user's own, where they have none. */
export const initCommand = defineCommand({
  meta: {
    name: 'init',
    description: 'Write a policy and a config to start from. Files that exist are never overwritten.',
    notes: [
      'default keeps secrets out of reach, asks before shell-like tools and allows the rest. strict allows reading, asks before writing and denies what no rule allows. read-only allows only reading. observe allows everything and records it.',
      'It also writes schemas/, with which editors complete and check policies, configs and fixtures. Run it again after an update: it replaces the schemas and leaves your own files as they are.',
    ],
    exitCodes: { 0: 'the files are there', 1: '--policy named one, and another one was there already' },
    examples: ['clawai init', 'clawai init --policy strict'],
  },
  args: {
    policy: { type: 'enum', options: POLICIES, description: 'The shipped policy to copy (default).' },
  },
  async run({ flags }) {
    refuseAgents('init');
    const folder = configDirectory({ env: process.env, platform: process.platform, home: homedir() });
    makePrivateFolder(folder);
    const name = flags.policy ?? 'default';
    const policy = { file: join(folder, 'policy.toml'), text: policyText(name) };
    const config = { file: join(folder, 'config.toml'), text: CONFIG_TEMPLATE };
    const schemas = writeSchemas(folder);
    const isPolicyNew = createFile(policy.file, policy.text);
    const isConfigNew = createFile(config.file, config.text);
    const lines = [
      formatLine(policy.file, isPolicyNew, `what is allowed: a copy of the policy ${name}`),
      formatLine(config.file, isConfigNew, 'how clawai runs: every setting is its default'),
      formatSchemas(schemas),
      ...unknownToEditors({ file: policy.file, isNew: isPolicyNew, line: schemaLine('policy') }),
      ...unknownToEditors({ file: config.file, isNew: isConfigNew, line: schemaLine('config') }),
      ...overriddenBy('CLAWAI_POLICY'),
      ...overriddenBy('CLAWAI_CONFIG'),
      ...NEXT_STEPS,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (isPolicyNew || flags.policy === undefined || readFileSync(policy.file, 'utf8') === policy.text) return EXIT.ok;
    warn(
      `the policy is not ${name}: there was one already, and it stays as it is\n` +
        `  move ${shortPath(policy.file)} away and run this again`,
    );
    return EXIT.mismatch;
  },
});

const NEXT_STEPS = [
  '',
  'next:',
  "  clawai wrap --all --dry-run  shows what would change in your clients' configs",
  '  clawai wrap --all            puts clawai in front of their MCP servers',
  '  clawai status                shows which are wrapped, and when they were last seen',
  '  clawai doctor --live         proves that what is denied reaches no server',
  '  clawai run -- claude         starts an agent with the policy between it and its model, too',
];

function formatLine(file: string, isNew: boolean, what: string): string {
  return isNew ? `wrote  ${shortPath(file)}\n       ${what}` : `kept   ${shortPath(file)}\n       it was there already`;
}

const SCHEMAS_SAID: Readonly<Record<SchemaState, readonly [verb: string, why: string]>> = {
  none: ['wrote ', 'by which editors complete and check these files'],
  old: ['wrote ', 'in the place of those that another version of clawai had written'],
  current: ['kept  ', 'they are those of this version'],
};

function formatSchemas({ folder, before }: { readonly folder: string; readonly before: SchemaState }): string {
  const [verb, why] = SCHEMAS_SAID[before];
  return `${verb} ${shortPath(folder)}\n       ${why}`;
}

/** A file that was there before, and says nowhere what it is. We never write into those. */
function unknownToEditors(about: { readonly file: string; readonly isNew: boolean; readonly line: string }): readonly string[] {
  if (about.isNew || readText(about.file)?.includes('#:schema') !== false) return [];
  return [`note   to have your editor know ${shortPath(about.file)}, make this its first line:`, `       ${about.line}`];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A link that leads nowhere, or what may not be read; there is nothing to say of its lines.
    return undefined;
  }
}

/** An environment that names another file makes this one count for nothing here. */
function overriddenBy(variable: 'CLAWAI_POLICY' | 'CLAWAI_CONFIG'): readonly string[] {
  const value = process.env[variable] ?? '';
  return value === '' ? [] : [`note   $${variable} names ${value}, which counts instead in this shell`];
}

function policyText(name: PolicyName): string {
  const shipped = readFileSync(join(packageRoot(), 'policies', `${name}.toml`), 'utf8');
  return `${head(name)}\n${shipped}`;
}

function head(name: PolicyName): string {
  return `${schemaLine('policy')}
# Your own policy: what agents may do. It began as a copy of the policy "${name}" of clawai ${VERSION}; change it as you like.
# \`clawai policy lint\` reads it, \`clawai policy test\` proves it, \`clawai log --calls\` shows what it decided.
# A change counts from the next call on, also for servers that run.

# How you are asked where a rule says "prompt"; each line shows a default: remove the # in front of all that you change.
#[approval]
# How long a call waits for your answer, 1s to 1h; no answer is a denial. Many clients give up after 60 s.
#timeout = "45s"
# "terminal" is \`clawai approvals\`, "desktop" points you there; an empty list denies what would be asked.
#channels = ["terminal", "desktop"]

# What came with it:
#`;
}

function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClawaiError(`the folder for the policy cannot be made: ${why}`, {
      code: 'config_unwritable',
      place: { file: folder },
      hint: 'see that the folder above it may be written by you',
      cause,
    });
  }
}

/**
 * Writes a new file that only the user can read and write, whole or not at all; whatever has that name already stays, also a link
 * that leads nowhere.
 *
 * @returns false where the name was taken
 * @throws ClawaiError `config_unwritable`
 */
export function createFile(file: string, text: string): boolean {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    return takeName(temporary, file, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ClawaiError(`the file cannot be written: ${why}`, { code: 'config_unwritable', place: { file }, cause });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function takeName(temporary: string, file: string, text: string): boolean {
  try {
    try {
      // Unlike a rename, this replaces nothing.
      linkSync(temporary, file);
    } catch (error) {
      if (isTaken(error)) throw error;
      // A file system without hard links.
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    }
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
